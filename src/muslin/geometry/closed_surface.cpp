#include "muslin/geometry/closed_surface.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "muslin/core/maths.h"

namespace muslin {

namespace {

// Of its reach: nearer to the surface than this, the way to it is rounding.
constexpr double kOn = 1e-12;
// Of its reach and of how far a place is from the origin: far more than computed distances are off.
constexpr double kRoundings = 1e-13;
// How far a place may go until it is asked again which triangles are nearby, over the root of their mean
// area, and the most leaves that are kept. Half and double: docs/performance/constants.md. No bit hangs on
// them.
constexpr double kSlack = 0.1;
constexpr size_t kMostLeaves = 32;

/// The triangles with numbers of places for vertices.
std::vector<Stencil<3>> between_places(const Mesh& mesh) {
  const auto before = [&](int a, int b) {
    const auto p = mesh.positions.col(a), q = mesh.positions.col(b);
    return std::lexicographical_compare(p.begin(), p.end(), q.begin(), q.end());
  };
  std::vector<int> order, place(mesh.vertex_count(), -1);
  for (const Stencil<3>& triangle : mesh.triangles)
    for (const int v : triangle)
      if (std::exchange(place[v], 0) < 0) order.push_back(v);
  std::sort(order.begin(), order.end(), before);
  for (size_t k = 1; k < order.size(); ++k)
    place[order[k]] = place[order[k - 1]] + (before(order[k - 1], order[k]) ? 1 : 0);
  std::vector<Stencil<3>> triangles;
  for (const auto& [a, b, c] : mesh.triangles) triangles.push_back({place[a], place[b], place[c]});
  return triangles;
}

/// What hangs together of a surface.
struct Piece {
  double volume = 0;  // six times; below 0: fronts look inwards
  Box box = Box::nothing();
  signed char side = 1;

  bool is_hollow_in(const Piece& other) const {
    return (volume < 0) != (other.volume < 0) && std::abs(volume) < std::abs(other.volume) &&
           (box.low.array() >= other.box.low.array()).all() &&
           (box.high.array() <= other.box.high.array()).all();
  }
};

/// One a triangle between so many places: −1 if its front looks inwards, or else 1.
std::vector<signed char> sides_of(const Mesh& mesh, const std::vector<Stencil<3>>& places, int place_count) {
  // 1. Places by the least that they hang together with
  std::vector<int> least(place_count);
  for (int p = 0; p < place_count; ++p) least[p] = p;
  const auto find = [&](int p) {
    while (least[p] != p) p = least[p] = least[least[p]];
    return p;
  };
  for (const auto& [a, b, c] : places)
    for (const int p : {b, c}) {
      const int here = find(a), there = find(p);
      least[std::max(here, there)] = std::min(here, there);
    }

  // 2. What they enclose
  std::vector<Piece> pieces(place_count);
  const Vec3 origin = mesh.positions.col(mesh.triangles[0][0]);
  for (size_t t = 0; t < places.size(); ++t) {
    Piece& piece = pieces[find(places[t][0])];
    const auto& [a, b, c] = mesh.triangles[t];
    piece.volume += (mesh.positions.col(a) - origin)
                        .dot((mesh.positions.col(b) - origin).cross(mesh.positions.col(c) - origin));
    for (const int v : {a, b, c}) piece.box.include(mesh.positions.col(v));
  }
  for (int p = 0; p < place_count; ++p) {
    if (least[p] != p) continue;
    const bool is_hollow = std::any_of(pieces.begin(), pieces.end(),
                                       [&](const Piece& other) { return pieces[p].is_hollow_in(other); });
    if ((pieces[p].volume < 0) != is_hollow) pieces[p].side = -1;
  }

  // 3. Of every triangle
  std::vector<signed char> sides;
  for (const Stencil<3>& triangle : places) sides.push_back(pieces[find(triangle[0])].side);
  return sides;
}

}  // namespace

// Every side of a triangle has its counterpart, which goes back.
std::string ClosedSurface::problem(const Mesh& mesh) {
  std::vector<Stencil<2>> sides, back;
  std::vector<int> vertex(mesh.vertex_count());  // one in every place
  const std::vector<Stencil<3>> triangles = between_places(mesh);
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = triangles[t][k], to = triangles[t][(k + 1) % 3];
      vertex[from] = mesh.triangles[t][k];
      if (from == to) continue;
      sides.push_back({from, to});
      back.push_back({to, from});
    }
  std::sort(sides.begin(), sides.end());
  std::sort(back.begin(), back.end());
  const auto [side, other] = std::mismatch(sides.begin(), sides.end(), back.begin());
  if (side == sides.end()) return sides.empty() ? "has no area" : "";
  const auto& [a, b] = std::min(*side, *other);
  return fmt::format("is open, or turns its front, at edge {}-{}", vertex[a], vertex[b]);
}

ClosedSurface::ClosedSurface(const Mesh& mesh) {
  Connections connections{mesh.triangles, between_places(mesh), {}};
  int last = -1;
  for (const Stencil<3>& places : connections.places)
    last = std::max(last, *std::max_element(places.begin(), places.end()));
  connections.around = build_incidence(last + 1, connections.places);
  connections.side = sides_of(mesh, connections.places, last + 1);
  connections_ = std::make_shared<const Connections>(std::move(connections));
  take(mesh.positions);
}

ClosedSurface::ClosedSurface(const ClosedSurface& other, const Points& positions)
    : connections_(other.connections_), tree_(other.tree_) {
  take(positions);
}

void ClosedSurface::take(const Points& positions) {
  const int count = static_cast<int>(connections_->vertices.size());
  std::vector<Box> boxes(count, Box::nothing());
  const bool is_first = tree_.order().empty();
  faces_.resize(count);
  reach_ = 0;
  double areas = 0;  // twice
  for (int t = 0; t < count; ++t) {
    Face& face = faces_[t];
    for (int k = 0; k < 3; ++k) {
      face.corner[k] = positions.col(connections_->vertices[t][k]);
      boxes[t].include(face.corner[k]);
      reach_ = std::max(reach_, face.corner[k].norm());
    }
    const auto& [a, b, c] = face.corner;
    const Vec3 across = (b - a).cross(c - a);
    const double area = across.norm();
    areas += area;
    face.normal = area > 0 ? Vec3(connections_->side[t] / area * across) : Vec3(Vec3::Zero());
  }
  if (is_first)
    tree_ = BoxTree(boxes);
  else
    tree_.refit(boxes);
  slack_ = kSlack * std::sqrt(areas / 2 / count);
  leaves_.resize((count + 3) / 4);
  for (int k = 0; k < count; ++k)
    for (int corner = 0; corner < 3; ++corner)
      leaves_[k / 4][corner].set(k % 4, faces_[tree_.order()[k]].corner[corner]);
}

Closest ClosedSurface::closest_on(int triangle, const Vec3& place) const {
  const Face& face = faces_[triangle];
  Quad x;
  x << place, face.corner[0], face.corner[1], face.corner[2];
  return closest_points(PairKind::point_triangle, x);
}

// In single precision, less what that may be off.
#ifndef __clang__
[[gnu::flatten]]  // else GCC passes vectors by memory
#endif
Eigen::Array4d
ClosedSurface::least_distances(int leaf, const Vec3& place) const {
  const double far = reach_ + place.norm();
  if (!(far <= LaneRounding::kLargest)) return Eigen::Array4d::Zero();
  const auto all = [](double x) { return all_lanes<Floats>(static_cast<float>(x)); };
  const FourVectors here[1] = {{all(place[0]), all(place[1]), all(place[2])}};
  const auto& [a, b, c] = leaves_[leaf];
  const Floats lower = lane_distances(here, {a, b, c}).lower;
  const Eigen::Array4d exact(lower[0], lower[1], lower[2], lower[3]);
  return exact * (1 - LaneRounding::kRelative) - far * LaneRounding::kAbsolute;
}

// A triangle without area has no points of its own: its neighbours have them, too. Of triangles that are as
// near the first counts, so that it does not matter in which order they are looked at.
void ClosedSurface::look_in(int leaf, const Vec3& place, Nearest& nearest) const {
  const std::vector<int>& order = tree_.order();
  Eigen::Array4d least = least_distances(leaf, place);
  for (int n = 0, k = 0; n < 4; ++n, least[k] = kInfinity) {
    if (!(least.minCoeff(&k) <= nearest.closest.distance)) return;
    if (4 * leaf + k >= static_cast<int>(order.size())) continue;
    const int t = order[4 * leaf + k];
    if (faces_[t].normal.isZero(0)) continue;
    const Closest closest = closest_on(t, place);
    if (std::pair(closest.distance, t) < std::pair(nearest.closest.distance, nearest.triangle))
      nearest = {t, closest};
  }
}

ClosedSurface::Nearest ClosedSurface::nearest(const Vec3& place) const {
  Nearest nearest;
  if (!place.allFinite()) return nearest;
  const double rounding = kRoundings * (reach_ + place.norm());
  tree_.visit_leaves_within(kInfinity, place, [&](int leaf) {
    look_in(leaf, place, nearest);
    return nearest.closest.distance + rounding;
  });
  return nearest;
}

// Of the triangles that have all corners which bear the nearest point: weights of the others are 0.
Vec3 ClosedSurface::outward(const Nearest& nearest) const {
  const auto& [triangle, closest] = nearest;
  if ((closest.weight.tail<3>().array() != 0).all()) return faces_[triangle].normal;
  std::vector<int> bearing;
  for (int k = 0; k < 3; ++k)
    if (closest.weight[1 + k] != 0) bearing.push_back(connections_->places[triangle][k]);
  Vec3 sum = Vec3::Zero();
  const Incidence& around = connections_->around;
  for (int r = around.begin[bearing[0]]; r < around.begin[bearing[0] + 1]; ++r) {
    const Stencil<3>& places = connections_->places[around.item[r]];
    const auto has = [&](int place) {
      return std::find(places.begin(), places.end(), place) != places.end();
    };
    if (!std::all_of(bearing.begin(), bearing.end(), has)) continue;
    const auto& [corner, normal] = faces_[around.item[r]];
    const int k = around.slot[r];
    const Vec3 next = corner[(k + 1) % 3] - corner[k], last = corner[(k + 2) % 3] - corner[k];
    sum += (bearing.size() == 1 ? maths::atan2(next.cross(last).norm(), next.dot(last)) : 1) * normal;
  }
  return sum;
}

SurfacePoint ClosedSurface::point_of(const Nearest& nearest) const {
  const auto& [distance, normal, weight] = nearest.closest;
  if (nearest.triangle < 0) return {distance, normal};
  const Vec3 outward = this->outward(nearest);
  const double side = normal.dot(outward) < 0 ? -1 : 1;
  const bool is_on_it = distance < kOn * reach_;
  return {side * distance, is_on_it ? Vec3(outward.normalized()) : Vec3(side * normal)};
}

SurfacePoint ClosedSurface::at(const Vec3& place) const { return point_of(nearest(place)); }

// What is nearest to a place within the slack of the centre is within two slacks more of the centre than what
// is nearest there.
SurfacePoint ClosedSurface::at(const Vec3& place, double way, double before, NearbyFaces& nearby) const {
  if (!(way <= slack_)) return at(place);
  auto& leaves = nearby.leaves;
  const double rounding = kRoundings * (reach_ + place.norm());
  double beside = (place - nearby.centre).norm();
  if (!(beside <= slack_)) {
    const double within = before + way + 2 * slack_ + rounding;
    leaves.clear();
    tree_.visit_leaves_within(within, place, [&](int leaf) {
      const double least = least_distances(leaf, place).minCoeff();
      if (least <= within) leaves.push_back({least, leaf});
      return within;
    });
    std::sort(leaves.begin(), leaves.end());
    if (leaves.size() > kMostLeaves) leaves.clear();
    nearby.centre = place;
    beside = 0;
  }
  if (leaves.empty()) return at(place);
  Nearest nearest;
  for (const auto& [least, leaf] : leaves) {
    if (least - beside > nearest.closest.distance + rounding) break;
    look_in(leaf, place, nearest);
  }
  return point_of(nearest);
}

Vec3 ClosedSurface::mixed(const Points& values, const Vec3& place) const {
  const auto [triangle, closest] = nearest(place);
  if (triangle < 0) return Vec3::Zero();
  const Stencil<3>& vertices = connections_->vertices[triangle];
  Vec3 mix = Vec3::Zero();
  for (int k = 0; k < 3; ++k) mix -= closest.weight[1 + k] * values.col(vertices[k]);
  return mix;
}

bool ClosedSurface::may_be_within(double distance, const Vec3& place) const {
  const bool is_plane = faces_.size() == 1;  // what is behind it is in no box
  return is_plane || tree_.distance_to(place) <= distance;
}

}  // namespace muslin

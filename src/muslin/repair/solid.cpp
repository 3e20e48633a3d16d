#include "muslin/repair/solid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace muslin {

namespace {

constexpr int kLeaf = 4;  // triangles

Box box_of(const Points& x, const Stencil<3>& triangle) {
  const auto& [a, b, c] = triangle;
  return {x.col(a).cwiseMin(x.col(b)).cwiseMin(x.col(c)), x.col(a).cwiseMax(x.col(b)).cwiseMax(x.col(c))};
}

double distance_to(const Box& box, const Vec3& place) {
  return (box.low - place).cwiseMax(place - box.high).cwiseMax(0).norm();
}

/// Six times the volume that triangles which face outwards enclose; negative if they face inwards.
double enclosed(const Points& x, const std::vector<Stencil<3>>& triangles) {
  const Vec3 origin = x.col(triangles[0][0]);
  double sum = 0;
  for (const auto& [a, b, c] : triangles)
    sum += (x.col(a) - origin).cross(x.col(b) - origin).dot(x.col(c) - origin);
  return sum;
}

}  // namespace

Solid::Solid(const Points& positions, std::vector<Stencil<3>> triangles) : triangles_(std::move(triangles)) {
  int first = triangles_[0][0], last = first;
  for (const Stencil<3>& triangle : triangles_)
    for (const int v : triangle) {
      first = std::min(first, v);
      last = std::max(last, v);
    }
  for (Stencil<3>& triangle : triangles_)
    for (int& v : triangle) v -= first;
  positions_ = positions.middleCols(first, last - first + 1);
  build(0, static_cast<int>(triangles_.size()));
  around_ = build_incidence(static_cast<int>(positions_.cols()), triangles_);
}

/// Halves the triangles by their middles, along the longest side of the box about them.
void Solid::build(int begin, int end) {
  const int node = static_cast<int>(nodes_.size());
  Box box = box_of(positions_, triangles_[begin]);
  for (int t = begin; t < end; ++t) {
    const Box other = box_of(positions_, triangles_[t]);
    box = {box.low.cwiseMin(other.low), box.high.cwiseMax(other.high)};
  }
  nodes_.push_back({box, begin, end, 0});
  if (end - begin <= kLeaf) return;
  int axis = 0;
  (box.high - box.low).maxCoeff(&axis);
  const auto middle = [&](const Stencil<3>& t) {
    return positions_(axis, t[0]) + positions_(axis, t[1]) + positions_(axis, t[2]);
  };
  const int half = (begin + end) / 2;
  std::nth_element(triangles_.begin() + begin, triangles_.begin() + half, triangles_.begin() + end,
                   [&](const Stencil<3>& a, const Stencil<3>& b) {
                     return std::pair(middle(a), a) < std::pair(middle(b), b);
                   });
  build(begin, half);
  nodes_[node].right = static_cast<int>(nodes_.size());
  build(half, end);
}

void Solid::search(int node, const Vec3& place, Nearest& nearest) const {
  const auto& [box, begin, end, right] = nodes_[node];
  if (right == 0) {
    for (int t = begin; t < end; ++t) {
      const auto& [a, b, c] = triangles_[t];
      Quad corners;
      corners << place, positions_.col(a), positions_.col(b), positions_.col(c);
      const Closest closest = closest_points(PairKind::point_triangle, corners);
      if (closest.distance < nearest.closest.distance) nearest = {closest, t};
    }
    return;
  }
  std::pair<double, int> children[] = {{distance_to(nodes_[node + 1].box, place), node + 1},
                                       {distance_to(nodes_[right].box, place), right}};
  std::sort(std::begin(children), std::end(children));
  for (const auto& [distance, child] : children)
    if (distance < nearest.closest.distance) search(child, place, nearest);
}

/// The normal of the triangle, or of those that meet in the edge or the corner that bears the nearest point,
/// by their angles there: a place behind it is inside [Baerentzen 2005].
Vec3 Solid::outwards_at(const Nearest& nearest) const {
  std::vector<int> bearing;
  for (int k = 0; k < 3; ++k)
    if (nearest.closest.weight[k + 1] != 0) bearing.push_back(triangles_[nearest.triangle][k]);
  Vec3 sum = Vec3::Zero();
  for (int i = around_.begin[bearing[0]]; i < around_.begin[bearing[0] + 1]; ++i) {
    const Stencil<3>& triangle = triangles_[around_.item[i]];
    const auto has = [&](int v) { return std::find(triangle.begin(), triangle.end(), v) != triangle.end(); };
    if (!std::all_of(bearing.begin(), bearing.end(), has)) continue;
    const int k = around_.slot[i];
    const Vec3 corner = positions_.col(triangle[k]);
    const Vec3 one = positions_.col(triangle[(k + 1) % 3]) - corner;
    const Vec3 other = positions_.col(triangle[(k + 2) % 3]) - corner;
    const Vec3 normal = one.cross(other);
    sum += (bearing.size() == 1 ? std::atan2(normal.norm(), one.dot(other)) : 1) * normal.normalized();
  }
  return sum.normalized();
}

SurfacePoint Solid::surface_at(const Vec3& place) const {
  Nearest nearest{{kInfinity, Vec3::Zero(), Eigen::Vector4d::Zero()}, 0};
  search(0, place, nearest);
  const Closest& closest = nearest.closest;
  const Vec3 outwards = outwards_at(nearest);
  if (closest.distance == 0) return {0, outwards};
  return closest.normal.dot(outwards) < 0 ? SurfacePoint{-closest.distance, -closest.normal}
                                          : SurfacePoint{closest.distance, closest.normal};
}

bool Solid::may_be_within(double distance, const Vec3& place) const {
  const bool is_plane = triangles_.size() == 1;  // what is behind it is in no box
  return is_plane || distance_to(nodes_[0].box, place) <= distance;
}

std::optional<std::vector<Stencil<3>>> facing_outwards(const Points& positions,
                                                       std::vector<Stencil<3>> triangles) {
  std::vector<Stencil<2>> sides, back;
  for (const Stencil<3>& triangle : triangles)
    for (int k = 0; k < 3; ++k) {
      sides.push_back({triangle[k], triangle[(k + 1) % 3]});
      back.push_back({triangle[(k + 1) % 3], triangle[k]});
    }
  std::sort(sides.begin(), sides.end());
  std::sort(back.begin(), back.end());
  if (sides != back) return std::nullopt;
  if (enclosed(positions, triangles) < 0)
    for (auto& [a, b, c] : triangles) std::swap(b, c);
  return triangles;
}

}  // namespace muslin

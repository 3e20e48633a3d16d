#include "muslin/geometry/polygon_cut.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "muslin/geometry/turn.h"

namespace muslin {

namespace {

constexpr double kAlmostLine =
    1e-6;  // height of a triangle, or of all corners, over the longest side: a line
constexpr double kHeightRounding = 1e-9;  // of the size: distances from the mean plane that are rounding
constexpr double kBent = 0.35;            // of the size: a square that is folded by more than a right angle
constexpr double kBetter = 1e-9;          // what a flip must gain, of the product of all four sides

/// The plane that suits all corners best.
struct MeanPlane {
  Vec3 middle;  // of the corners
  Vec3 normal;  // unit
  double size;  // the farthest corner from the middle [m]
};

/// Twice the vector of the area, about a place near by.
Vec3 area_vector(const std::vector<Vec3>& corners, const Vec3& middle) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < corners.size(); ++k)
    sum += (corners[k] - middle).cross(corners[(k + 1) % corners.size()] - middle);
  return sum;
}

// Of a polygon that crosses itself the area may cancel: then the plane of its largest triangle. Without any
// area the normal is zero.
MeanPlane mean_plane(const std::vector<Vec3>& corners) {
  MeanPlane plane{Vec3::Zero(), Vec3::Zero(), 0};
  for (const Vec3& corner : corners) plane.middle += corner / static_cast<double>(corners.size());
  for (const Vec3& corner : corners) plane.size = std::max(plane.size, (corner - plane.middle).norm());
  Vec3 largest = area_vector(corners, plane.middle);
  const double least = kAlmostLine * plane.size * plane.size;
  for (std::size_t k = 1; largest.norm() <= least && k + 1 < corners.size(); ++k) {
    const Vec3 area = (corners[k] - corners[0]).cross(corners[k + 1] - corners[0]);
    if (area.norm() > least) largest = area;
  }
  if (largest.norm() > least) plane.normal = largest.normalized();
  return plane;
}

/// Whether the triangles of corners 0, k and k + 1 are a cut: none turned over or almost a line, and together
/// less than once around corner 0.
bool is_fan(const std::vector<Vec3>& corners, const Vec3& normal) {
  const Vec3& centre = corners[0];
  const Vec3 first = corners[1] - centre;
  bool is_beyond_half = false;
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    const Vec3 a = corners[k] - centre, b = corners[k + 1] - centre;
    const double longest2 = std::max({a.squaredNorm(), b.squaredNorm(), (b - a).squaredNorm()});
    if (!(a.cross(b).dot(normal) > kAlmostLine * longest2)) return false;
    const bool is_left = first.cross(b).dot(normal) > 0;
    if (is_beyond_half && is_left) return false;
    is_beyond_half = is_beyond_half || !is_left;
  }
  return true;
}

/// Corners moved along the normal to the plane, but for what is rounding there.
std::vector<Vec3> flattened(const std::vector<Vec3>& corners, const MeanPlane& plane) {
  std::vector<Vec3> flat = corners;
  for (Vec3& corner : flat)
    if (const double height = plane.normal.dot(corner - plane.middle);
        std::abs(height) > kHeightRounding * plane.size)
      corner -= height * plane.normal;
  return flat;
}

/// Flat corners seen from where the normal points to: one coordinate is left out, so that the others have no
/// rounding, times a power of two.
std::vector<Vec2> seen_from_above(const std::vector<Vec3>& corners, const Vec3& normal) {
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if (normal[axis] < 0) std::swap(u, v);
  double largest = 0;
  for (const Vec3& corner : corners) largest = std::max(largest, corner.cwiseAbs().maxCoeff());
  int exponent = 0;
  std::frexp(largest, &exponent);
  std::vector<Vec2> seen;
  seen.reserve(corners.size());
  for (const Vec3& x : corners) seen.emplace_back(std::ldexp(x[u], -exponent), std::ldexp(x[v], -exponent));
  return seen;
}

/// A polygon in the plane, whose corners are taken away one by one as ears are cut [Meisters 1975].
class FlatPolygon {
 public:
  FlatPolygon(std::vector<Vec3> corners, const Vec3& normal)
      : place_(std::move(corners)), x_(seen_from_above(place_, normal)), next_(x_.size()), last_(x_.size()) {
    for (int k = 0; k < count(); ++k) {
      next_[k] = (k + 1) % count();
      last_[next_[k]] = k;
    }
  }

  /// Where it crosses or touches itself.
  PolygonFault find_fault() const {
    for (int i = 0; i < count(); ++i)
      for (int j = i + 1; j < count(); ++j) {
        if (x_[i] == x_[j] && cross_at_corners(i, j)) return {PolygonFault::meets, i, j};
        if (are_apart(i, j)) continue;
        for (const auto& [corner, side] : {Stencil<2>{j, i}, {next_[j], i}, {i, j}, {next_[i], j}})
          if (lies_on(corner, side)) return {PolygonFault::touches, corner, side};
        if (cross(i, j)) return {PolygonFault::crosses, i, j};
      }
    return {};
  }

  /// Cuts ears until a triangle is left; tells where there is none to cut.
  PolygonFault cut() {
    int corner = 0;
    for (int left = count(), tried = 0; left > 2; ++tried) {
      if (tried > left) return {PolygonFault::bent, corner, corner};
      if (is_ear(corner)) {
        add_triangle({last_[corner], corner, next_[corner]});
        next_[last_[corner]] = next_[corner];
        last_[next_[corner]] = last_[corner];
        corner = last_[corner];
        --left;
        tried = -1;
      }
      corner = next_[corner];
    }
    return {};
  }

  /// Flips diagonals until every two triangles have the larger angles at them [Lawson 1977].
  void flip() {
    std::vector<Stencil<2>> open;
    for (const auto& [edge, tip] : tip_)
      if (edge[0] < edge[1]) open.push_back(edge);
    for (long flips = 0, most = long{count()} * count(); !open.empty() && flips < most;) {
      const auto [p, q] = open.back();
      open.pop_back();
      const auto left = tip_.find({p, q}), right = tip_.find({q, p});
      if (left == tip_.end() || right == tip_.end()) continue;
      const int a = left->second, b = right->second;
      if (!is_better_flipped(p, q, a, b)) continue;
      tip_.erase(left);
      tip_.erase(right);
      add_triangle({p, b, a});
      add_triangle({b, q, a});
      for (const Stencil<2>& edge : {Stencil<2>{p, b}, {b, q}, {q, a}, {a, p}}) open.push_back(edge);
      ++flips;
    }
  }

  /// Appends the triangles, by their lowest corners, which come first.
  void append_to(std::vector<Stencil<3>>& triangles) const {
    for (const auto& [edge, tip] : tip_)
      if (edge[0] < edge[1] && edge[0] < tip) triangles.push_back({edge[0], edge[1], tip});
  }

 private:
  int count() const { return static_cast<int>(x_.size()); }
  int turn_of(int a, int b, int c) const { return turn(x_[a], x_[b], x_[c]); }

  bool are_apart(int i, int j) const {
    const Vec2 &a = x_[i], &b = x_[next_[i]], &c = x_[j], &d = x_[next_[j]];
    return (a.cwiseMax(b).array() < c.cwiseMin(d).array()).any() ||
           (c.cwiseMax(d).array() < a.cwiseMin(b).array()).any();
  }

  /// Whether a corner lies on a side, but for its ends.
  bool lies_on(int corner, int side) const {
    const Vec2 &x = x_[corner], &a = x_[side], &b = x_[next_[side]];
    if (x == a || x == b || turn(a, b, x) != 0) return false;
    return (x.array() >= a.cwiseMin(b).array()).all() && (x.array() <= a.cwiseMax(b).array()).all();
  }

  /// Whether two sides cross between their ends.
  bool cross(int i, int j) const {
    return turn_of(i, next_[i], j) * turn_of(i, next_[i], next_[j]) < 0 &&
           turn_of(j, next_[j], i) * turn_of(j, next_[j], next_[i]) < 0;
  }

  /// Whether what lies within the polygon at a corner, counter-clockwise from the next to the last, is there
  /// in the direction of a place.
  bool is_within(int corner, int place) const {
    const int to_next = turn_of(corner, next_[corner], place),
              to_last = turn_of(corner, last_[corner], place);
    return turn_of(last_[corner], corner, next_[corner]) > 0 ? to_next > 0 && to_last < 0
                                                             : to_next > 0 || to_last < 0;
  }
  bool have_one_direction(int corner, int a, int b) const {
    return turn_of(corner, a, b) == 0 && (x_[a] - x_[corner]).dot(x_[b] - x_[corner]) > 0;
  }
  /// Of two corners in one place.
  bool cross_at_corners(int i, int j) const {
    return is_within(i, next_[j]) || is_within(i, last_[j]) || is_within(j, next_[i]) ||
           is_within(j, last_[i]) || have_one_direction(i, next_[i], next_[j]) ||
           have_one_direction(i, last_[i], last_[j]);
  }

  /// Whether the triangle at a corner has area and no other corner in it or on it, but for those that lie on
  /// its own.
  bool is_ear(int corner) const {
    const int a = last_[corner], b = next_[corner];
    if (turn_of(a, corner, b) <= 0) return false;
    for (int other = next_[b]; other != a; other = next_[other])
      if (x_[other] != x_[a] && x_[other] != x_[b] && x_[other] != x_[corner] &&
          turn_of(a, corner, other) >= 0 && turn_of(corner, b, other) >= 0 && turn_of(b, a, other) >= 0)
        return false;
    return true;
  }

  void add_triangle(const Stencil<3>& t) {
    for (int k = 0; k < 3; ++k) tip_[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
  }

  /// Whether the angles at the tips of a diagonal sum to more than half a turn, and the other diagonal can be
  /// drawn.
  bool is_better_flipped(int p, int q, int a, int b) const {
    const Vec3 pa = place_[p] - place_[a], qa = place_[q] - place_[a];
    const Vec3 pb = place_[p] - place_[b], qb = place_[q] - place_[b];
    const double gain = -(pa.dot(qa) * pb.cross(qb).norm() + pb.dot(qb) * pa.cross(qa).norm());
    return gain > kBetter * pa.norm() * qa.norm() * pb.norm() * qb.norm() && turn_of(p, b, a) > 0 &&
           turn_of(b, q, a) > 0;
  }

  std::vector<Vec3> place_;
  std::vector<Vec2> x_;            // as seen from above
  std::vector<int> next_, last_;   // among the corners that are left
  std::map<Stencil<2>, int> tip_;  // what faces each side of each triangle, counter-clockwise
};

}  // namespace

PolygonFault cut_polygon(const std::vector<Vec3>& corners, std::vector<Stencil<3>>& triangles) {
  const int count = static_cast<int>(corners.size());
  const auto add_fan = [&] {
    for (int k = 1; k + 1 < count; ++k) triangles.push_back({0, k, k + 1});
    return PolygonFault();
  };
  if (count == 3) return add_fan();
  const MeanPlane plane = mean_plane(corners);
  if (plane.normal.isZero(0)) return add_fan();
  for (int k = 0; k < count; ++k)
    if (std::abs(plane.normal.dot(corners[k] - plane.middle)) > kBent * plane.size)
      return {PolygonFault::bent, k, k};
  if (is_fan(corners, plane.normal)) return add_fan();
  if (count > kMostCorners) return {PolygonFault::large, 0, 0};
  FlatPolygon polygon(flattened(corners, plane), plane.normal);
  if (const PolygonFault fault = polygon.find_fault(); fault.kind != PolygonFault::none) return fault;
  if (const PolygonFault fault = polygon.cut(); fault.kind != PolygonFault::none) return fault;
  polygon.flip();
  polygon.append_to(triangles);
  return {};
}

}  // namespace muslin

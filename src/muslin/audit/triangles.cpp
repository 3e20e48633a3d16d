#include "muslin/audit/triangles.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "muslin/audit/predicates.h"

namespace muslin {

namespace {

using Triangle = std::array<Vec3, 3>;
using Segment = std::array<Vec3, 2>;

Triangle corners(const Points& positions, const Stencil<3>& triangle) {
  return {positions.col(triangle[0]), positions.col(triangle[1]), positions.col(triangle[2])};
}

// --- in the picture along an axis ----------------------------------------------------------------------

/// Whether a side of the triangle has all points strictly beyond it; of one seen from its edge, none has.
template <std::size_t N>
bool side_parts(const Triangle& t, const std::array<Vec3, N>& points, int axis) {
  const int turn = orient2d(t[0], t[1], t[2], axis);
  for (int k = 0; k < 3; ++k)
    if (std::all_of(points.begin(), points.end(),
                    [&](const Vec3& p) { return turn * orient2d(t[k], t[(k + 1) % 3], p, axis) < 0; }))
      return true;
  return false;
}

/// Whether all corners of the triangle are strictly on one side of the segment's line.
bool line_misses(const Segment& s, const Triangle& t, int axis) {
  const int side = orient2d(s[0], s[1], t[0], axis);
  return side != 0 && side == orient2d(s[0], s[1], t[1], axis) && side == orient2d(s[0], s[1], t[2], axis);
}

/// An axis along which the triangle is seen as one, as large as may be; -1 if it has no area.
int viewing_axis(const Triangle& t) {
  Eigen::Index largest;
  (t[1] - t[0]).cross(t[2] - t[0]).cwiseAbs().maxCoeff(&largest);
  for (int k = 0; k < 3; ++k) {
    const int axis = (static_cast<int>(largest) + k) % 3;
    if (orient2d(t[0], t[1], t[2], axis) != 0) return axis;
  }
  return -1;
}

bool is_thin(const Triangle& t) { return viewing_axis(t) < 0; }

/// Convex shapes in a plane have a point in common unless a side of one parts them. Shapes of one plane meet
/// where their pictures do; others only if their pictures do, which tells most of them apart at little cost.
bool pictures_meet(const Triangle& a, const Triangle& b, int axis) {
  return !side_parts(a, b, axis) && !side_parts(b, a, axis);
}
bool pictures_meet(const Segment& s, const Triangle& t, int axis) {
  return !side_parts(t, s, axis) && !line_misses(s, t, axis);
}

// --- in space ----------------------------------------------------------------------------------------

/// The sides of a triangle's plane that points are on.
template <std::size_t N>
std::array<int, N> sides_of_plane(const Triangle& t, const std::array<Vec3, N>& points) {
  std::array<int, N> sides;
  for (std::size_t i = 0; i < N; ++i) sides[i] = orient3d(t[0], t[1], t[2], points[i]);
  return sides;
}

/// A segment that has a point in common with the plane of the triangle passes its line by the three sides in
/// one sense if it hits the triangle.
bool line_hits(const Segment& s, const Triangle& t) {
  bool left = false, right = false;
  for (int k = 0; k < 3; ++k) {
    const int turn = orient3d(s[0], s[1], t[k], t[(k + 1) % 3]);
    left = left || turn > 0;
    right = right || turn < 0;
  }
  return !(left && right);
}

/// Of a triangle with an area, and the sides of its plane that the ends of the segment are on.
bool meet(const Segment& s, const Triangle& t, int side0, int side1) {
  if (side0 == 0 && side1 == 0) return pictures_meet(s, t, viewing_axis(t));
  return side0 * side1 <= 0 && line_hits(s, t);
}
bool meet(const Segment& s, const Triangle& t) {
  if (!pictures_meet(s, t, viewing_axis(t))) return false;
  const auto [side0, side1] = sides_of_plane(t, s);
  return meet(s, t, side0, side1);
}

/// Whether a side of `a` meets `b`, which has an area.
bool sides_meet(const Triangle& a, const Triangle& b) {
  const std::array<int, 3> side = sides_of_plane(b, a);
  for (int k = 0; k < 3; ++k)
    if (meet({a[k], a[(k + 1) % 3]}, b, side[k], side[(k + 1) % 3])) return true;
  return false;
}

/// Two triangles meet where a side of one meets the other, or one lies within the other in one plane, where a
/// side does so too.
bool meet(const Triangle& a, const Triangle& b) {
  const int view_a = viewing_axis(a), view_b = viewing_axis(b);
  if (view_a >= 0 && !pictures_meet(a, b, view_a)) return false;
  return (view_b >= 0 && sides_meet(a, b)) || (view_a >= 0 && sides_meet(b, a));
}

// --- neighbours ----------------------------------------------------------------------------------------

// Almost all pairs of a search are neighbours, and almost all of them are parted by a plane that is found at
// little cost. What is not parted by more than any rounding is told exactly.

/// Of a product's factors: more than sums of three products of rounded differences err by, some 2⁻⁵⁰.
constexpr double kRounding = 0x1p-40;
constexpr double kNoUnderflow = 0x1p-500;  // of a product; what underflow loses is below 2⁻¹⁰⁰⁰
bool is_beyond_rounding(double sum, double factors) {
  return factors > kNoUnderflow && sum > kRounding * factors;
}

/// Whether the plane through the shared corner, a[0] and b[0], midway between both triangles has all other
/// corners of `a` on one side and those of `b` on the other.
bool plane_at_corner_parts(const Triangle& a, const Triangle& b) {
  const Vec3 to_a[] = {a[1] - a[0], a[2] - a[0]}, to_b[] = {b[1] - a[0], b[2] - a[0]};
  const Vec3 middle_a = to_a[0] + to_a[1], middle_b = to_b[0] + to_b[1];
  const Vec3 normal = middle_b.norm() * middle_a - middle_a.norm() * middle_b;
  const double size = normal.cwiseAbs().sum();
  const auto is_ahead = [&](const Vec3& way, double sign) {
    return is_beyond_rounding(sign * normal.dot(way), size * way.cwiseAbs().maxCoeff());
  };
  return is_ahead(to_a[0], 1) && is_ahead(to_a[1], 1) && is_ahead(to_b[0], -1) && is_ahead(to_b[1], -1);
}

/// Whether the tips lie on opposite sides of the shared side, a[0] to a[1], as they do unless cloth is folded
/// by more than a right angle: what they are beside it has a negative product.
bool tips_are_opposite(const Triangle& a, const Triangle& b) {
  const Vec3 side = a[1] - a[0], tip_a = a[2] - a[0], tip_b = b[2] - a[0];
  const double length = side.squaredNorm();
  return is_beyond_rounding(side.dot(tip_a) * side.dot(tip_b) - length * tip_a.dot(tip_b),
                            length * (tip_a.squaredNorm() + tip_b.squaredNorm()));
}

/// a[0] and b[0] are one vertex. What they have in common beyond it is convex and holds that vertex, so it
/// ends at the side that faces the vertex in one of them.
bool meet_beyond_corner(const Triangle& a, const Triangle& b) {
  return meet(Segment{a[1], a[2]}, b) || meet(Segment{b[1], b[2]}, a);
}

/// a[0], a[1] are b[0], b[1].
bool folded_flat(const Triangle& a, const Triangle& b) {
  for (int axis = 0; axis < 3;
       ++axis)  // seldom more is needed: the tips are seen on both sides of the shared side
    if (orient2d(a[0], a[1], a[2], axis) * orient2d(a[0], a[1], b[2], axis) < 0) return false;
  return orient3d(a[0], a[1], a[2], b[2]) == 0;
}

/// Brings the vertices that both have to the front, in the same order; returns how many.
int align(Stencil<3>& a, Stencil<3>& b) {
  int shared = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = shared; j < 3; ++j)
      if (a[i] == b[j]) {
        std::swap(a[shared], a[i]);
        std::swap(b[shared], b[j]);
        ++shared;
        break;
      }
  return shared;
}

}  // namespace

bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c) { return is_thin({a, b, c}); }

bool triangles_meet(const Points& positions, const Stencil<3>& first, const Stencil<3>& second) {
  Stencil<3> i = first, j = second;
  const int shared = align(i, j);
  const Triangle a = corners(positions, i), b = corners(positions, j);
  if (shared == 0) return meet(a, b);
  if (shared == 3) return true;
  if (shared == 1 ? plane_at_corner_parts(a, b) : tips_are_opposite(a, b)) return false;
  if (is_thin(a) || is_thin(b)) return false;
  return shared == 1 ? meet_beyond_corner(a, b) : folded_flat(a, b);
}

}  // namespace muslin

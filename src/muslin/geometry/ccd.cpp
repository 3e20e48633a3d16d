#include "muslin/geometry/ccd.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/core/check.h"

// Conservative advancement [Mirtich 1996]: find a time for which the pair cannot possibly come too near, go
// there, and ask again. No polynomial in time is solved for a contact, so none can be missed; all that
// rounding can do is to make a step a little too long, and that is provided for beforehand. Three arguments
// give safe steps, of which the longest is taken:
//
// 1. The distance shrinks no faster than the fastest two points of the sides move against each other. This
//    is additive CCD [Li 2021, algorithm 1].
// 2. The sides lie on either side of a slab, at right angles to the line between their nearest points. As
//    vertices move on straight lines, it is plain when the first of them enters the slab: mostly never, else
//    after the next step of Newton's method for distance(time) = floor, from the safe side.
// 3. Where the sides turn, a slab that turns with them lasts longer.
//
// A plane without end has no fastest point: there, the gap times the area of u × v is a cubic in time, which
// a parabola bounds from below.
//
// 2 and 3 promise more than 1, but where the sides are nearer than a hundred millionth of their size, nobody
// knows the normal; 1 needs none.

namespace muslin {

namespace {

constexpr int kMaxSteps = 100;       // a bound: 50 change nothing
constexpr double kOfReserve = 0.9;   // of what is less than the reserve, stays
constexpr double kTolerance = 0.01;  // of what may be used up: too little to take another step for
// What rounding adds to distances and heights of a step, in parts of the largest number that enters them.
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();
constexpr double kNever = std::numeric_limits<double>::infinity();
// Powers of two of extent and motion between which no product of four lengths over- or underflows; what is
// beyond is scaled. No finite number needs a larger factor than 2 to the power of kLargestScale.
constexpr int kLeastPower = -100, kLargestPower = 100, kLargestScale = 1000;

Patch operator-(const Patch& a, const Patch& b) { return {a.corner - b.corner, a.u - b.u, a.v - b.v}; }

Patch operator*(double scale, const Patch& p) { return {scale * p.corner, scale * p.u, scale * p.v}; }

Patch moved(const Patch& patch, const Patch& motion, double time) {
  return {patch.corner + time * motion.corner, patch.u + time * motion.u, patch.v + time * motion.v};
}

// The corners of a patch are the differences of one vertex of each side: 3 for a triangle, 4 for two edges.
int corner_count(PairKind kind) { return kind == PairKind::edge_edge ? 4 : 3; }

// How far the corners are in one direction.
std::array<double, 4> heights(const Patch& patch, const Vec3& direction) {
  const double corner = direction.dot(patch.corner), u = direction.dot(patch.u), v = direction.dot(patch.v);
  return {corner, corner + u, corner + v, corner + u + v};
}

// No number that enters a computation with the patch is larger.
double size(const Patch& patch) {
  return patch.corner.lpNorm<1>() + patch.u.lpNorm<1>() + patch.v.lpNorm<1>();
}

// The largest length of a corner. Of a motion: no two points of the sides move faster against each other.
double fastest_corner(PairKind kind, const Patch& motion) {
  const Vec3 u = motion.corner + motion.u, v = motion.corner + motion.v;
  double square = std::max({motion.corner.squaredNorm(), u.squaredNorm(), v.squaredNorm()});
  if (kind == PairKind::edge_edge) square = std::max(square, Vec3(u + motion.v).squaredNorm());
  return std::sqrt(square);
}

// The first τ > 0 at which a + bτ + cτ² = 0, where a > 0.
double first_root(double a, double b, double c) {
  const double discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return kNever;
  const double denominator = std::sqrt(discriminant) - b;  // no cancellation where it counts: b < 0
  return denominator > 0 ? 2 * a / denominator : kNever;
}

// Whether all corners are above the plane through zero at right angles to `normal`, and none comes nearer; a
// plane without end must not turn.
bool rises(PairKind kind, const Patch& patch, const Patch& motion, const Vec3& normal, double rounding) {
  const std::array<double, 4> height = heights(patch, normal), rise = heights(motion, normal);
  for (int k = 0; k < corner_count(kind); ++k)
    if (!(height[k] > rounding && rise[k] >= 0)) return false;
  return kind != PairKind::point_plane || (motion.u.isZero(0) && motion.v.isZero(0));
}

// How long all corners stay `floor` above the plane through zero at right angles to `normal`.
double time_above_plane(PairKind kind, const Patch& patch, const Patch& motion, const Vec3& normal,
                        double floor) {
  const std::array<double, 4> height = heights(patch, normal), rise = heights(motion, normal);
  double time = kNever;
  for (int k = 0; k < corner_count(kind); ++k) {
    if (height[k] <= floor) return 0;
    if (rise[k] < 0) time = std::min(time, (height[k] - floor) / -rise[k]);
  }
  return time;
}

// The least change of the normal n with which it stays, to first order, at right angles to the directions in
// which the nearest point may slide: d/dτ (n·e) = 0 for e = u and v inside the patch, one of them on a
// border, none at a corner.
Vec3 turn_of(PairKind kind, const Patch& patch, const Patch& motion, const PatchPoint& nearest) {
  const auto& [s, t, distance, n] = nearest;
  const bool along_u = s > 0 && s < 1;
  const bool along_v = t > 0 && t < 1;
  const bool on_diagonal = kind == PairKind::point_triangle && s + t >= 1;
  const double u_rises = n.dot(motion.u), v_rises = n.dot(motion.v);
  if (along_u && along_v && !on_diagonal)
    return (u_rises * patch.v.cross(n) + v_rises * n.cross(patch.u)) / -n.dot(patch.u.cross(patch.v));
  const auto keep = [](const Vec3& edge, double rises) { return Vec3(-rises / edge.squaredNorm() * edge); };
  if (along_u && along_v) return keep(patch.v - patch.u, v_rises - u_rises);
  if (along_u) return keep(patch.u, u_rises);
  if (along_v) return keep(patch.v, v_rises);
  return Vec3::Zero();
}

// The same for a plane whose normal n + τṅ turns, ṅ ⟂ n. Corner x + τẋ is too low when (n + τṅ)·(x + τẋ) is
// below floor · |n + τṅ| ≤ floor · (1 + τ²|ṅ|²/2).
double time_above_turning_plane(PairKind kind, const Patch& patch, const Patch& motion,
                                const PatchPoint& nearest, double floor) {
  const Vec3 turn = turn_of(kind, patch, motion, nearest);
  const double turn_square = turn.squaredNorm();
  if (!(turn_square > 0 && turn_square < 1e100)) return 0;  // nothing turns, or all
  const std::array<double, 4> height = heights(patch, nearest.normal), rise = heights(motion, nearest.normal),
                              lift = heights(patch, turn), bend = heights(motion, turn);
  double time = 1 / std::sqrt(turn_square);  // half a right angle: more would only blow up rounding
  for (int k = 0; k < corner_count(kind); ++k) {
    if (height[k] <= floor) return 0;
    const double curve = bend[k] - floor * turn_square / 2;
    time = std::min(time, first_root(height[k] - floor, rise[k] + lift[k], curve));
  }
  return time;
}

// How long a point surely stays `floor` above a plane: with m = u × v, and its change, the gap is c·m/|m|.
double time_above_plane_without_end(const Patch& patch, const Patch& motion, const Vec3& normal,
                                    double floor) {
  const double side = normal.dot(patch.u.cross(patch.v)) < 0 ? -1 : 1;
  const Vec3 m0 = side * patch.u.cross(patch.v), m2 = side * motion.u.cross(motion.v),
             m1 = side * (motion.u.cross(patch.v) + patch.u.cross(motion.v));
  // 1. |m| ≤ |m₀| + τ a + τ² b, as long as the part of m along m₀ is at least half of |m₀|
  const double area = m0.norm(), a = m1.dot(normal), b = m1.squaredNorm() / area + m2.norm();
  const double least = a < 0 ? area / (-2 * a) : kNever;
  // 2. c·m − floor |m| from below
  const Vec3 &c = patch.corner, &d = motion.corner;
  const double h0 = c.dot(m0) - floor * area, h1 = d.dot(m0) + c.dot(m1) - floor * a;
  const double h2 = d.dot(m1) + c.dot(m2) - floor * b, h3 = d.dot(m2);
  if (!(h0 > 0)) return 0;
  const double reach = std::min(least, 1.0), curve = std::min(h2, 0.0) + std::min(h3, 0.0) * reach;
  return std::min(reach, first_root(h0, h1, curve));
}

// How much of a gap beyond the separation a motion may use up.
double usable(double gap, const Clearance& clearance) {
  return std::min((1 - clearance.fraction) * gap, std::max(gap - clearance.reserve, (1 - kOfReserve) * gap));
}

// time_of_impact, where no number is too large or too small to be multiplied.
double time_within_range(PairKind kind, const Patch& first, const Patch& motion, const Clearance& clearance) {
  // 1. How near they may come.
  PatchPoint nearest = nearest_to_zero(kind, first);
  const double rounding = kRounding * (size(first) + size(motion));
  const double budget = usable(nearest.distance - clearance.separation, clearance) - rounding;
  if (!(budget > 0)) return rises(kind, first, motion, nearest.normal, rounding) ? 1 : 0;
  const double floor = nearest.distance - budget;

  // 2. Safe steps, until little is left to use up. Most pairs never meet, which the first plane tells.
  const bool has_end = kind != PairKind::point_plane;
  const double speed = fastest_corner(kind, motion);
  double time = 0;
  Patch patch = first;
  for (int step = 0; step < kMaxSteps; ++step) {
    const double by_plane = has_end ? time_above_plane(kind, patch, motion, nearest.normal, floor)
                                    : time_above_plane_without_end(patch, motion, nearest.normal, floor);
    if (time + by_plane >= 1) return 1;
    time += has_end ? std::max({by_plane, time_above_turning_plane(kind, patch, motion, nearest, floor),
                                (nearest.distance - floor) / speed})
                    : by_plane;
    if (time >= 1) return 1;
    patch = moved(first, motion, time);
    nearest = nearest_to_zero(kind, patch);
    if (nearest.distance - floor <= kTolerance * budget) break;
  }
  return time;
}

}  // namespace

double time_of_impact(PairKind kind, const Quad& start, const Quad& end, const Clearance& clearance) {
  MUSLIN_ASSERT(clearance.fraction >= 0 && clearance.fraction < 1 && clearance.separation >= 0);
  // Differences know nothing of where the origin is, nor of a motion that all four vertices share.
  const Patch first = patch_of(kind, start), motion = patch_of(kind, end) - first;
  if (size(motion) == 0) return 1;
  const double extent = size(first) + size(motion);
  if (!std::isfinite(extent)) return 0;
  int power = 0;
  std::frexp(extent, &power);
  if (power >= kLeastPower && power <= kLargestPower)
    return time_within_range(kind, first, motion, clearance);
  const int up = std::min(-power, kLargestScale);
  const double scale = std::ldexp(1, up);
  const Clearance scaled{clearance.fraction, std::ldexp(clearance.separation, up),
                         std::ldexp(clearance.reserve, up)};
  return time_within_range(kind, scale * first, scale * motion, scaled);
}

}  // namespace muslin

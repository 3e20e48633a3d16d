#include "muslin/geometry/ccd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/core/check.h"

// Conservative advancement [Mirtich 1996]: find a time for which the pair cannot possibly meet, go there, and
// ask again from there. No polynomial is solved, so no root can be missed; all that rounding can do is to make
// the steps a little too long, and this is bounded beforehand. Two arguments give safe steps:
//
//  - Distance shrinks no faster than the fastest two points of the sides move against each other. This is
//    additive CCD [Li 2021, algorithm 1].
//  - The plane through the nearest point of side B, at right angles to the line to that of side A, separates
//    the sides. All corners move on straight lines, so it is plain when the first of them comes too near. This is
//    Newton's method for distance(time) = floor, from the safe side: it needs 1 to 3 steps where additive CCD
//    needs 10, and says "never" of sides that move apart.
//
// The plane is always better, but its normal is uncertain where the distance is a millionth of the extent or less;
// the first argument needs no normal.

namespace muslin {

namespace {

constexpr int kMaxSteps = 100;
constexpr double kTolerance = 0.01;  // of the gap that may be used up: too little to take another step for
// What rounding adds to distances and bounds of a step, in parts of the largest number that enters them.
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();

Patch operator-(const Patch& a, const Patch& b) { return {a.corner - b.corner, a.u - b.u, a.v - b.v}; }

Patch moved(const Patch& patch, const Patch& motion, double time) {
  return {patch.corner + time * motion.corner, patch.u + time * motion.u, patch.v + time * motion.v};
}

// The corners of a patch are the differences of one vertex of each side: 3 for a triangle, 4 for two edges.
int corner_count(PairKind kind) { return kind == PairKind::point_triangle ? 3 : 4; }

// Heights of the corners over the plane through zero with that normal.
std::array<double, 4> heights(const Patch& patch, const Vec3& normal) {
  const double corner = normal.dot(patch.corner), u = normal.dot(patch.u), v = normal.dot(patch.v);
  return {corner, corner + u, corner + v, corner + u + v};
}

// The largest length of a corner: no point of the patch is farther from zero.
double reach(PairKind kind, const Patch& patch) {
  double square = std::max({patch.corner.squaredNorm(), (patch.corner + patch.u).squaredNorm(),
                            (patch.corner + patch.v).squaredNorm()});
  if (kind == PairKind::edge_edge)
    square = std::max(square, (patch.corner + patch.u + patch.v).squaredNorm());
  return std::sqrt(square);
}

// How long every corner stays at least `floor` above the plane with this normal; infinite if for ever.
double time_above_plane(PairKind kind, const Patch& patch, const Patch& motion, const Vec3& normal,
                        double floor) {
  const std::array<double, 4> height = heights(patch, normal), rise = heights(motion, normal);
  double time = std::numeric_limits<double>::infinity();
  for (int k = 0; k < corner_count(kind); ++k) {
    if (height[k] <= floor) return 0;
    if (rise[k] < 0) time = std::min(time, (height[k] - floor) / -rise[k]);
  }
  return time;
}

}  // namespace

double time_of_impact(PairKind kind, const Quad& start, const Quad& end, const Clearance& clearance) {
  MUSLIN_ASSERT(clearance.share >= 0 && clearance.share < 1 && clearance.separation >= 0);
  // 1. Differences know nothing of where the origin is, nor of a motion that all four vertices share.
  const Patch first = patch_of(kind, start), motion = patch_of(kind, end) - first;
  const double speed = reach(kind, motion);
  if (speed == 0) return 1;

  // 2. How near they may come.
  PatchPoint nearest = nearest_to_zero(kind, first);
  const double rounding = kRounding * (reach(kind, first) + speed);
  const double gap = nearest.distance - clearance.separation - rounding;
  if (!(gap > 0)) return 0;
  const double budget = (1 - clearance.share) * gap, floor = nearest.distance - budget;

  // 3. Safe steps, until little is left to use up.
  double time = 0;
  Patch patch = first;
  for (int step = 0; step < kMaxSteps && nearest.distance - floor > kTolerance * budget; ++step) {
    time += std::max((nearest.distance - floor) / speed,
                     time_above_plane(kind, patch, motion, nearest.normal, floor));
    if (!(time < 1)) return 1;
    patch = moved(first, motion, time);
    nearest = nearest_to_zero(kind, patch);
  }
  return time;
}

}  // namespace muslin

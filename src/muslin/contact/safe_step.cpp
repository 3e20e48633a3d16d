#include "muslin/contact/safe_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"
#include "muslin/geometry/ccd.h"

namespace muslin {

namespace {

constexpr double kBoundShare = 0.999;  // of a bound that may be used: the rest is for rounding
// Coordinates are rounded when x moves; pairs keep a distance of so many ulps of the largest.
constexpr double kSeparation = 64 * std::numeric_limits<double>::epsilon();

/// The a ≥ 0 at which |offset + a · motion| = radius; 0 if it begins outside.
double way_to_sphere(const Vec3& offset, const Vec3& motion, double radius) {
  const double room = radius * radius - offset.squaredNorm();
  if (room <= 0) return 0;
  const double a = motion.squaredNorm(), b = offset.dot(motion);
  const double root = std::sqrt(b * b + a * room);
  return b > 0 ? room / (b + root) : a > 0 ? (root - b) / a : 1;
}

}  // namespace

double step_within_bounds(const Candidates& candidates, const Points& x, const Points& displacement) {
  const Points moved = x - candidates.detected_at();
  const Vec3 common = common_motion(candidates.surfaces(), moved);
  const Vec3 common_step = common_motion(candidates.surfaces(), displacement);
  return parallel_min(static_cast<int>(x.cols()), 1, [&](int v) {
    const Vec3 step = displacement.col(v) - common_step;
    if (step.isZero(0)) return 1.0;
    return way_to_sphere(moved.col(v) - common, step, kBoundShare * candidates.bound()[v]);
  });
}

double step_before_contact(const std::vector<ContactPair>& pairs, const Points& x,
                           const Points& displacement) {
  return parallel_min(static_cast<int>(pairs.size()), 1, [&](int p) {
    const Quad start = gather(x, pairs[p].vertices), end = start + gather(displacement, pairs[p].vertices);
    const double largest = std::max(start.cwiseAbs().maxCoeff(), end.cwiseAbs().maxCoeff());
    return time_of_impact(pairs[p].kind, start, end, {.separation = kSeparation * largest});
  });
}

double safe_step(const Candidates& candidates, const Points& x, const Points& displacement) {
  const double bounded = step_within_bounds(candidates, x, displacement);
  return bounded > 0 ? bounded * step_before_contact(candidates.pairs(), x, bounded * displacement) : 0;
}

}  // namespace muslin

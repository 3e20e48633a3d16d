#include "muslin/contact/pairs/safe_step.h"

#include <algorithm>

#include "muslin/energy/energy.h"
#include "muslin/geometry/ccd.h"

namespace muslin {

namespace {

constexpr double kFar = 0.1;  // of a radius: boxes that stay so far apart need no closer look

/// The gap between the boxes that the two sides pass through; a plane has none.
double swept_gap(PairKind kind, const Quad& start, const Quad& end) {
  if (kind == PairKind::point_plane) return -kInfinity;
  const Quad low = start.cwiseMin(end), high = start.cwiseMax(end);
  Vec3 low_a = low.col(0), high_a = high.col(0), low_b = low.col(3), high_b = high.col(3);
  for (int k = 1; k < 3; ++k) {
    Vec3 &l = k < first_of_b(kind) ? low_a : low_b, &h = k < first_of_b(kind) ? high_a : high_b;
    l = l.cwiseMin(low.col(k));
    h = h.cwiseMax(high.col(k));
  }
  return (low_a - high_b).cwiseMax(low_b - high_a).maxCoeff();
}

}  // namespace

double step_before_contact(const ContactPair& pair, const Points& x, const Points& displacement) {
  const Quad start = gather(x, pair.vertices), end = start + gather(displacement, pair.vertices);
  if (swept_gap(pair.kind, start, end) > kFar * pair.radius + pair.inset) return 1;
  const double largest = std::max(start.cwiseAbs().maxCoeff(), end.cwiseAbs().maxCoeff());
  return time_of_impact(
      pair.kind, start, end,
      {.separation = pair.inset + kSeparation * largest, .reserve = kReserve * pair.radius});
}

}  // namespace muslin

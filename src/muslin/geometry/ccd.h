#pragma once
#include "muslin/geometry/distance.h"

// Continuous collision detection: how far four vertices may go along straight lines before they meet.

namespace muslin {

/// How near a motion may bring a pair.
struct Clearance {
  double share = 0.1;     ///< of the initial distance (beyond the separation) that stays, in [0, 1)
  double separation = 0;  ///< what stays in any case [m]
};

/// The fraction in [0, 1] of the motion from `start` to `end` (all four vertices on straight lines, at
/// constant speed) during which the distance stays at or above separation + share · (initial distance −
/// separation). Never late: what it returns is certified with room for rounding. It may stop early, when all
/// but 1 % of the distance that may be used up has been, and returns 1 only if the whole motion is safe. It
/// returns 0 only where the initial distance is no more than the separation, give or take rounding: 1e-14 of
/// the extent.
///
/// What is certified is the exact straight path between the given numbers, wherever the origin is. A caller
/// who then computes x + time · (x_end − x) rounds it to multiples of an ulp (1e-13 m at coordinates of 10³
/// m), and shall keep distances above some ulps by `separation`.
double time_of_impact(PairKind kind, const Quad& start, const Quad& end, const Clearance& clearance = {});

}  // namespace muslin

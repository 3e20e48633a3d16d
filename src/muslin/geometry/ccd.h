#pragma once
#include <limits>

#include "muslin/geometry/distance.h"

// Continuous collision detection: how far four vertices may go along straight lines before they meet.

namespace muslin {

/// Of the largest coordinate: what pairs shall keep, since coordinates are rounded when x moves. Some ulps.
inline constexpr double kSeparation = 64 * std::numeric_limits<double>::epsilon();

/// How near a motion may bring a pair.
struct Clearance {
  double fraction = 0.1;  ///< of the initial distance (beyond the separation) that stays, in [0, 1)
  double separation = 0;  ///< what stays in any case [m]
  double reserve = 0;     ///< what stays beyond that [m], or nine tenths of what there is, if that is less
};

/// The fraction in [0, 1] of the motion from `start` to `end` (all four vertices on straight lines, at
/// constant speed) during which the distance stays at or above separation + fraction · (initial distance −
/// separation), and above the reserve. Never late: what it returns is certified, with room for rounding. It
/// may be early by 1 % of the distance that could be used up, and by more only where parallel edges nearly
/// touch. 1 says that the whole motion is safe, as one is in which sides that are nearer than the separation
/// part; 0 that nothing can be used up (less than 1e-14 of the largest extent and motion), or that a number,
/// or a difference of two, is not finite. That holds for all numbers: what is very large or small is scaled
/// by a power of two.
///
/// What is certified is the exact straight path between the given numbers, wherever the origin is. A caller
/// who then computes x + time · (x_end − x) rounds to multiples of an ulp (1e-13 m at coordinates of 10³ m),
/// and shall keep distances above some ulps by `separation` (kSeparation).
double time_of_impact(PairKind kind, const Quad& start, const Quad& end, const Clearance& clearance = {});

}  // namespace muslin

#pragma once
#include <algorithm>
#include <vector>

#include "muslin/contact/pairs/candidates.h"
#include "muslin/contact/pairs/pair_energy.h"
#include "muslin/contact/pairs/safe_step.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

// What PairContact finds with bounds and filters, by a look at every listed pair.

namespace muslin {

/// The pairs that are nearer than their radius at x [m], in the order of `pairs`.
inline std::vector<ActivePair> active_pairs(const std::vector<ContactPair>& pairs, const Points& x) {
  std::vector<ActivePair> active;
  for (int p = 0; p < std::ssize(pairs); ++p) {
    const Closest closest = closest_of(pairs[p], gather(x, pairs[p].vertices));
    if (closest.distance < pairs[p].radius) active.push_back({p, closest});
  }
  return active;
}

/// The least step_before_contact of all pairs.
inline double least_step_before_contact(const std::vector<ContactPair>& pairs, const Points& x,
                                        const Points& displacement) {
  return parallel_min(static_cast<int>(pairs.size()), 1,
                      [&](int p) { return step_before_contact(pairs[p], x, displacement); });
}

/// As far as x may go along a displacement, and the candidates hold. If nothing intersects at x, nothing does
/// at x + a · displacement, for every a up to the fraction returned: listed pairs by step_before_contact, all
/// others by Candidates::holds_along.
inline double safe_step(const Candidates& candidates, const Points& x, const Points& displacement) {
  const double held = candidates.holds_along(x, displacement);
  return held > 0 ? held * least_step_before_contact(candidates.pairs(), x, held * displacement) : 0;
}

}  // namespace muslin

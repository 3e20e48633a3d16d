#pragma once
#include "muslin/contact/pairs/candidates.h"

namespace muslin {

/// A fraction in (0, 1] of a displacement during which a pair comes no nearer than a tenth of its distance at
/// x, or of its radius if that is less, as continuous collision detection certifies (ccd.h). 0 only where it
/// is nearer than rounding of its coordinates can tell. Any smaller fraction is as safe.
double step_before_contact(const ContactPair& pair, const Points& x, const Points& displacement);

/// The least of all pairs.
double step_before_contact(const std::vector<ContactPair>& pairs, const Points& x,
                           const Points& displacement);

/// As far as x may go along a displacement, and the candidates hold. If nothing intersects at x, nothing does
/// at x + a · displacement, for every a up to the fraction returned: listed pairs by the promise above, all
/// others by Candidates::holds_along.
double safe_step(const Candidates& candidates, const Points& x, const Points& displacement);

}  // namespace muslin

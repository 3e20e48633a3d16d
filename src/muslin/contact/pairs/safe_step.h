#pragma once
#include "muslin/contact/pairs/candidates.h"

namespace muslin {

/// A fraction in (0, 1] of a displacement during which a pair comes no nearer than a tenth of its distance at
/// x, or of its radius if that is less, as continuous collision detection certifies (ccd.h). 0 only where it
/// is nearer than rounding of its coordinates can tell. Any smaller fraction is as safe.
double step_before_contact(const ContactPair& pair, const Points& x, const Points& displacement);

}  // namespace muslin

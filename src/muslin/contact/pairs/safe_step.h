#pragma once
#include "muslin/contact/pairs/candidates.h"

namespace muslin {

/// Of a radius: a distance that nothing is pressed to, as contact pushes there 850 times as hard as at half
/// of the radius.
inline constexpr double kReserve = 1e-3;

/// A fraction in (0, 1] of a displacement during which a pair comes no nearer than a tenth of its distance at
/// x, or of its radius if that is less, as continuous collision detection certifies (ccd.h); nor than the
/// reserve, or nine tenths of less: no load presses cloth so far, but iterations that each
/// go nine tenths of the way would, until nothing beside the force of that pair counts. 0 only where it is
/// nearer than rounding of its coordinates can tell. Any smaller fraction is as safe.
double step_before_contact(const ContactPair& pair, const Points& x, const Points& displacement);

}  // namespace muslin

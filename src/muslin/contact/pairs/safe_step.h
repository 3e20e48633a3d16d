#pragma once
#include "muslin/contact/pairs/candidates.h"

namespace muslin {

/// Of a radius: a distance that no load presses cloth to, as contact pushes there 850 times as hard as at
/// half of the radius. Ten times or a tenth of it: six torture scenes keep their bits.
inline constexpr double kReserve = 1e-3;

/// A fraction in (0, 1] of a displacement during which a pair comes no nearer than a tenth of its distance at
/// x, or of its radius if that is less, as continuous collision detection certifies (ccd.h); nor than the
/// reserve, or nine tenths of its distance if that is less. Without the reserve, iterations that each go nine
/// tenths of the way lead to where nothing beside the force of one pair counts. 0 only where it is nearer
/// than rounding of its coordinates can tell. Any smaller fraction is as safe.
double step_before_contact(const ContactPair& pair, const Points& x, const Points& displacement);

}  // namespace muslin

#pragma once
#include "muslin/contact/pairs/barrier.h"
#include "muslin/contact/pairs/candidates.h"
#include "muslin/contact/pairs/contact_rows.h"

// The energy of contact: Barrier (barrier.h) of the distance of every pair. Distances are those of the whole
// parts, never of features that were chosen before, so the energy is continuous whatever the cloth does.

namespace muslin {

/// Times the stiffness of contact, where cloth meets a round body: an element of cloth and the body are one
/// pair, which carries what several pairs carry where bodies are meshes. Taut cloth with edges of 50 mm on a
/// ball of 0.15 m (tests/property/torture_test.cpp, Squeeze) is pressed to a thousandth of its thickness and
/// jams the ball with 1 and 2; with 4 and 8 it does not. With 2, drape takes 20 % less work, spin 11 % more;
/// with 8, drape 21 % more, spin 2 % more.
inline constexpr double kRound = 4;

/// The energy of one pair; `stiffness` [N/m] is that of all.
inline Barrier barrier_of(const ContactPair& pair, double stiffness) {
  return {pair.radius, pair.weight * (pair.inset > 0 ? kRound : 1) * stiffness};
}

/// A pair that is nearer than its radius.
struct ActivePair {
  int pair;  ///< index
  Closest closest;
};

/// Σ E [J] over the active, all others have none; infinite where a pair touches.
double contact_value(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                     double stiffness);

/// Appends one row for every active pair: the gradient, and the Hessian without φ′ ∂²d/∂x², which is
/// where the negative curvature is.
void append_contact_rows(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                         double stiffness, std::vector<ContactRow>& rows);

/// A pair that may go only a fraction of a displacement.
struct StoppedPair {
  int pair;     ///< index
  double step;  ///< < 1
};

/// Appends what a Newton step from x should know besides, if by itself it would run into pairs: `stopped`
/// tells of each how far it may go along the displacement. A pair that repels already resists by the secant
/// of its barrier, no longer by the tangent alone. One that is out of reach yet is held at its radius, in the
/// direction of the impact, by a spring that the energy does not have: the step then leads it to the border
/// of contact. No paper has this; it spares to find what is met pair by pair, an iteration each.
void append_rows_ahead(const std::vector<ContactPair>& pairs, const std::vector<StoppedPair>& stopped,
                       const Points& x, const Points& displacement, double stiffness,
                       std::vector<ContactRow>& rows);

/// Appends what such pairs, as far as they repel already, resist besides: that they slide past each other and
/// turn, which rows do not know of, and which brings them nearer (distance_turns).
void append_turns_ahead(const std::vector<ContactPair>& pairs, const std::vector<StoppedPair>& stopped,
                        const Points& x, double stiffness, std::vector<ContactTurn>& turns);

/// The exact Hessian of one pair with vertices at x [N/m].
Mat12 contact_hessian(const ContactPair& pair, const Quad& x, double stiffness);

/// The least distance of the pairs at x [m]; infinite without any.
double least_distance(const std::vector<ContactPair>& pairs, const Points& x);

}  // namespace muslin

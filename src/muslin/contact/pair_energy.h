#pragma once
#include "muslin/contact/barrier.h"
#include "muslin/contact/candidates.h"
#include "muslin/contact/contact_rows.h"

// The energy of contact: Barrier (barrier.h) of the distance of every pair. Distances are those of the whole
// parts, never of features that were chosen before, so the energy is continuous whatever the cloth does.

namespace muslin {

/// The energy of one pair; `stiffness` [N/m] is that of all.
inline Barrier barrier_of(const ContactPair& pair, double stiffness) {
  return {pair.radius, pair.share * stiffness};
}

/// A pair that is nearer than its radius.
struct ActivePair {
  int pair;  ///< index
  Closest closest;
};

/// Those at x [m], in the order of `pairs`.
std::vector<ActivePair> active_pairs(const std::vector<ContactPair>& pairs, const Points& x);

/// Σ E [J]; infinite where a pair touches.
double contact_value(const std::vector<ContactPair>& pairs, const Points& x, double stiffness);

/// Appends one row for every active pair: the gradient, and the Hessian without φ′ ∂²d/∂x², which is
/// where the negative curvature is.
void append_contact_rows(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                         double stiffness, std::vector<ContactRow>& rows);

/// The exact Hessian of one pair with vertices at x [N/m].
Mat12 contact_hessian(const ContactPair& pair, const Quad& x, double stiffness);

/// The least distance of the pairs at x [m]; infinite without any.
double least_distance(const std::vector<ContactPair>& pairs, const Points& x);

}  // namespace muslin

#pragma once
#include "muslin/energy/batch.h"
#include "muslin/energy/bending.h"
#include "muslin/energy/spring.h"

namespace muslin {

/// Every elastic energy a model may hold. To add one: a member here and a line in `each`.
struct Energies {
  SpringEnergy springs;
  BendingEnergy bending;

  template <class Action>
  void each(Action&& action) const {
    action(springs);
    action(bending);
  }
};

/// Σ E [J]
double elastic_energy(const Energies& energies, const Points& x);

/// gradient += ∂E/∂x [N]
void add_elastic_gradient(const Energies& energies, const Points& x, Scratch& scratch, Points& gradient);

/// A bound of the Hessian's row sum at every vertex [N/m]: Σ over elements of the spectral norm, for
/// stability.
Scalars stiffness_bound(const Energies& energies, int vertex_count);

}  // namespace muslin

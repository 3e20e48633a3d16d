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
  template <class Action>
  void each(Action&& action) {
    action(springs);
    action(bending);
  }
};

/// Σ E [J]
double elastic_energy(const Energies& energies, const Points& x);

/// gradient += ∂E/∂x [N]
void add_elastic_gradient(const Energies& energies, const Points& x, Scratch& scratch, Points& gradient);

/// A bound of the Hessian's row sum at every vertex [N/m], from the majorants of the elements [Gershgorin].
Scalars stiffness_bound(const Energies& energies, int vertex_count);

/// Whether any element has material damping.
bool is_damped(const Energies& energies);

/// The energies of a step of h seconds that begins at `before`, with the material's damping: for a condition
/// C with stiffness k and time constant τ, ½kC² + ½(kτ/h)(C − C(before))², whose gradient at the step's end
/// is the elastic force and kτ·dC/dt, as [Baraff 1998, §4.5] damps.
Energies damped(const Energies& energies, const Points& before, double h);

}  // namespace muslin

#pragma once
#include "muslin/energy/anchor.h"
#include "muslin/energy/baraff_witkin.h"
#include "muslin/energy/batch.h"
#include "muslin/energy/bending.h"
#include "muslin/energy/dihedral.h"
#include "muslin/energy/spring.h"
#include "muslin/energy/stvk.h"

namespace muslin {

/// Every elastic energy a model may hold, and the pulls of a step. To add one: a member here and a word in
/// `visit`.
struct Energies {
  SpringEnergy springs;
  BaraffWitkinEnergy baraff_witkin;
  StVKEnergy stvk;
  BendingEnergy bending;
  DihedralEnergy dihedral;
  AnchorEnergy pulls;

  static constexpr int kCount = 6;

  /// Calls action(energy) for every energy, in the same order always.
  template <class Action>
  void each(Action&& action) const {
    visit(*this, action);
  }
  template <class Action>
  void each(Action&& action) {
    visit(*this, action);
  }

 private:
  template <class Self, class Action>
  static void visit(Self& self, Action& action) {
    action(self.springs);
    action(self.baraff_witkin);
    action(self.stvk);
    action(self.bending);
    action(self.dihedral);
    action(self.pulls);
  }
};

/// Σ E [J]
double elastic_energy(const Energies& energies, const Points& x);

/// gradient += ∂E/∂x [N]
void add_elastic_gradient(const Energies& energies, const Points& x, Scratch& scratch, Points& gradient);

/// Both in one pass over the elements: Σ E [J].
double add_elastic_value_and_gradient(const Energies& energies, const Points& x, Scratch& scratch,
                                      Points& gradient);

/// A bound of the Hessian's row sum at every vertex [N/m], from the majorants of the elements [Gershgorin].
Scalars stiffness_bound(const Energies& energies, int vertex_count);

/// The largest entry on the diagonal of any element's majorant [N/m]: of springs, the stiffest one's k.
double greatest_stiffness(const Energies& energies);

/// Whether any element has material damping.
bool is_damped(const Energies& energies);

/// Makes these the energies of a step of h seconds that begins at `before`, with the material's damping: for
/// a condition C with stiffness k and time constant τ, ½kC² + ½(kτ/h)(C − C(before))², whose gradient at the
/// step's end is the elastic force and kτ·dC/dt, as [Baraff 1998, §4.5] damps.
void damp(Energies& energies, const Points& before, double h);

/// A bound of the row sum of the matrix of viscous forces at every vertex [N s/m]: Σ τ times the majorants.
Scalars viscosity_bound(const Energies& energies, int vertex_count);

}  // namespace muslin

#pragma once
#include <tuple>
#include <utility>

#include "muslin/energy/anchor.h"
#include "muslin/energy/baraff_witkin.h"
#include "muslin/energy/batch.h"
#include "muslin/energy/bending.h"
#include "muslin/energy/custom.h"
#include "muslin/energy/dihedral.h"
#include "muslin/energy/spring.h"
#include "muslin/energy/stitch.h"
#include "muslin/energy/stvk.h"

/// The one list of elastic energies, ENERGY(member of Energies, its type, what it is of): headers above, a
/// line here. What else a new one takes, CONTRIBUTING.md says; who is forgotten, the compiler: a cloth gets
/// its elements by make_elements (model/elements.cpp), tests theirs by element (tests/property/elements.h),
/// and neither compiles without one for every energy.
#define MUSLIN_ENERGIES(ENERGY)                                              \
  ENERGY(stitches, StitchEnergy, "threads of seams that are open")           \
  ENERGY(springs, SpringEnergy, "of grids, and of meshes that ask for them") \
  ENERGY(baraff_witkin, BaraffWitkinEnergy, "triangles of woven cloth")      \
  ENERGY(stvk, StVKEnergy, "triangles, St. Venant–Kirchhoff")                \
  ENERGY(bending, BendingEnergy, "plates that are flat at rest")             \
  ENERGY(dihedral, DihedralEnergy, "plates of any rest shape")

namespace muslin {

/// Every elastic energy a model may hold, those from outside, and the pulls of a step. Loops, damping,
/// assembly, solvers, reports and tests go by `each`. A solver family that cannot run one says so by its
/// kName (Support).
struct Energies {
#define MUSLIN_MEMBER(member, Energy, what) Energy member;
  MUSLIN_ENERGIES(MUSLIN_MEMBER)
#undef MUSLIN_MEMBER
  StoredCustomEnergy custom;  ///< from outside, by Scene::energies
  AnchorEnergy pulls;         ///< empty in a Model; a hand's pull, in the energies of a step

  /// All of them as a tuple of references, in the order that reports and tests go by; pulls are the last.
  template <class Self>
  static auto members(Self& self) {
#define MUSLIN_MEMBER(member, Energy, what) self.member,
    return std::tie(MUSLIN_ENERGIES(MUSLIN_MEMBER) self.custom, self.pulls);
#undef MUSLIN_MEMBER
  }

  /// Calls action(energy) for every energy, in the same order always.
  template <class Action>
  void each(Action&& action) const {
    std::apply([&](const auto&... energy) { (action(energy), ...); }, members(*this));
  }
  /// The same of energies that may be changed.
  template <class Action>
  void each(Action&& action) {
    std::apply([&](auto&... energy) { (action(energy), ...); }, members(*this));
  }

  /// Calls action(energy of `first`, the same of `second`) for every energy.
  template <class Action>
  static void each_pair(const Energies& first, Energies& second, Action&& action) {
    std::apply(
        [&](const auto&... from) {
          std::apply([&](auto&... to) { (action(from, to), ...); }, members(second));
        },
        members(first));
  }
};

/// How many there are.
inline constexpr int kEnergyCount =
    std::tuple_size_v<decltype(Energies::members(std::declval<const Energies&>()))>;

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

/// Makes `damped` the energies of a step of h seconds that begins at `before`, with the material's damping:
/// for a condition C with stiffness k and time constant τ, ½kC² + ½(kτ/h)(C − C(before))², whose gradient at
/// the step's end is the elastic force and kτ·dC/dt, as [Baraff 1998, §4.5] damps. Stencils and shapes are
/// shared with `elastic`; only stiffness and rest state are written, into memory that `damped` has from the
/// step before.
void damp(const Energies& elastic, const Points& before, double h, Energies& damped);

/// The same of a step that ends about `end` and moves by `way` until then: the viscous force is that of its
/// end to second order.
void damp(const Energies& elastic, const Points& end, const Points& way, double h, Energies& damped);

/// A bound of the row sum of the matrix of viscous forces at every vertex [N s/m]: Σ τ times the majorants.
Scalars viscosity_bound(const Energies& energies, int vertex_count);

}  // namespace muslin

#pragma once
#include <memory>
#include <optional>

#include "muslin/contact/pairs/pair_contact.h"
#include "muslin/contact/vertices/contact_energy.h"
#include "muslin/energy/assembly.h"
#include "muslin/model/model.h"

namespace muslin {

/// What implicit Euler minimises, the incremental potential [Martin 2011]: a sum of terms, each with value,
/// gradient and Hessian.
///
///   inertia    Σ mᵢ|xᵢ − yᵢ|² / 2h², y = x_n + h v + h² a_ext: where the cloth would be without all others
///   elasticity of the material, with its damping, and of pulls
///   colliders  at vertices, with friction (ContactEnergy), if they are added
///   pairs      of triangles, with friction (PairContact), if they are added: no step may pass what they
///   forbid
///
/// Held components of y are ignored. BDF2 has the same form with another y and ⅔ h. x may have more columns
/// than cloth has vertices: those of bodies, which pairs look at. Gradients have none for them.
class Objective {
 public:
  /// Of inertia and elasticity. `model`, `controls` and `energies` must outlive the objective.
  Objective(const Model& model, const Controls& controls, const Energies& energies, Points inertial_target,
            double h)
      : Objective(model, controls, energies, std::move(inertial_target),
                  Scalars(model.mass * (1 / (h * h)))) {}

  /// The same with an inertia m/h² [N/m] for every vertex, whose steps differ in length.
  Objective(const Model& model, const Controls& controls, const Energies& energies, Points inertial_target,
            Scalars inertia)
      : model_(model),
        controls_(controls),
        energies_(energies),
        target_(std::move(inertial_target)),
        inertia_(std::move(inertia)) {}

  /// Keeps the energies; `model` and `controls` must outlive the objective.
  Objective(const Model& model, const Controls& controls, std::shared_ptr<const Energies> energies,
            Points inertial_target, double h)
      : Objective(model, controls, *energies, std::move(inertial_target), h) {
    kept_ = std::move(energies);
  }

  /// Adds the colliders at vertices, with friction lagged from the predictor; `contact` must outlive the
  /// objective.
  void add(ContactEnergy& contact) {
    if (contact.empty()) return;
    contact_ = &contact;
    contact.lag_at_predictor(target_);
  }

  /// Adds pairs, with the friction that they have; `pairs` must outlive the objective. While pairs are looked
  /// for anew, values before and after must not be compared.
  void add(const PairContact& pairs) { pairs_ = &pairs; }

  /// F [J]; infinite where a pair touches.
  double value(const Points& x) const;

  /// ∂F/∂x [N], zero on held components. `scratch` is reused memory.
  void gradient(const Points& x, Scratch& scratch, Points& gradient) const;

  /// Both in one pass: F [J].
  double value_and_gradient(const Points& x, Scratch& scratch, Points& gradient) const;

  /// The rows of pairs at x, for gradient and Hessian alike; `active` is how many pairs repel each other. An
  /// iteration has `moved` all to x, if there was one (LaggedFriction::append_rows).
  ContactRows rows(const Points& x, const Points* moved, int& active) const;

  /// ∂F/∂x [N] at x, where the rows of pairs are known.
  void gradient(const Points& x, const ContactRows& rows, Scratch& scratch, Points& gradient) const;

  /// ∂²F/∂x² [N/m] at x but for pairs, whose rows have a pattern of their own. Exact curvature of elasticity
  /// may make it indefinite; contact is always projected.
  void assemble_hessian(const Points& x, Hessian which, HessianAssembly& assembly, BlockMatrix& matrix) const;

  /// The same a chunk of rows at a time, in floats, after assembly.prepare_rows(energies(), which).
  void assemble_hessian_rows(const Points& x, Hessian which, const HessianAssembly& assembly,
                             const RowChunk& rows) const;

  /// The longest step: how much of a direction from x may be gone before anything touches, in [0, 1].
  double safe_step(const Points& x, const Points& direction) const {
    return pairs_ ? pairs_->safe_step(x, direction) : 1;
  }

  /// m/h² [N/m]
  double inertia(int vertex) const { return inertia_[vertex]; }

  /// Friction of colliders is lagged from x, where the last iteration ended: call it before every iteration
  /// but the first, never between two values that are compared.
  void lag(const Points& x) const {
    if (contact_) contact_->lag(x);
  }

  const Model& model() const { return model_; }
  const Controls& controls() const { return controls_; }
  const Energies& energies() const { return energies_; }
  const Points& target() const { return target_; }
  const ContactEnergy* contact() const { return contact_; }  ///< null without colliders at vertices

 private:
  void add_vertex_terms(int vertex, const Points& x, Mat3& diagonal) const;
  double terms_of_vertices(const Points& x) const;
  void start_gradient(const Points& x, Points& gradient) const;
  void finish_gradient(const Points& x, Points& gradient) const;

  const Model& model_;
  const Controls& controls_;
  const Energies& energies_;
  std::shared_ptr<const Energies> kept_;  ///< energies_, if the objective owns them
  Points target_;
  Scalars inertia_;  ///< m/h² [N/m]
  ContactEnergy* contact_ = nullptr;
  const PairContact* pairs_ = nullptr;
};

/// What a step of implicit Euler from `state` minimises, with the material's damping, without contact.
/// `velocity_loss` is the fraction of the velocity that a solver takes away (Stepping). `model` and
/// `controls` must outlive it.
Objective incremental_potential(const Model& model, const Controls& controls, const State& state, double h,
                                double velocity_loss = 0);

/// The energies of a step of h seconds: the model's and the controls' pulls, with the material's damping,
/// which draws towards what velocities are differences from. Those of the model where that is all, else made
/// in `kept`.
const Energies& energies_of_step(const Model& model, const Controls& controls, const Points& before, double h,
                                 Energies& kept);

/// The same of a stage that ends about `end` and moves by `way` in h seconds, to second order.
const Energies& energies_of_stage(const Model& model, const Controls& controls, const Points& end,
                                  const Points& way, double h, Energies& kept);

/// The root mean square of a gradient over vertices [N].
double root_mean_square(const Points& gradient);

/// The fraction of the free vertices' weight that a residual leaves unbalanced: −Σ gradient along gravity
/// over weight. Absent without gravity or free mass.
std::optional<double> lost_gravity(const Model& model, const Controls& controls, const Points& gradient);

}  // namespace muslin

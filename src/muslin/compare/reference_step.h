#pragma once
#include <memory>

#include "muslin/compare/comparison.h"
#include "muslin/model/scene.h"
#include "muslin/solver/objective.h"
#include "muslin/solver/solver.h"
#include "muslin/solver/step_problem.h"

namespace muslin {

/// Distances between two sets of positions.
PositionError position_error(const Points& positions, const Points& others);

/// A step of a solver with the clock of the scene.
StepReport take_step(const Model& model, Solver& solver, const Input& input, State& state, double h);

/// A step that was taken.
struct TakenStep {
  State before;
  Input input;
  State after;
  Points minimum;  ///< the last iterate: what was not yet pushed out of anything afterwards [m]
  StepReport report;
};

/// A step from `before`, watched.
TakenStep watch_step(const Model& model, Solver& solver, const State& before, const Input& input, double h);

/// One step from one state, solved as exactly as can be: what every other step from that state is held
/// against, by
///
///   F̂(x) = F(x) without contact + C(x*) + ∇C(x*)·(x − x*)
///
/// x* minimises F with contact and friction, C is that part of F, and its forces stay what they are at x*. So
/// F̂ has its minimum at x*, too, without contact it is F, and it is finite and smooth for whatever a solver
/// makes of contact, a projection or nothing at all: it tells how far the cloth is from where it should be,
/// in energy, and where nothing pushes against anything, the gap is 1. Of F itself that would not hold: a
/// vertex that lies on a surface, not in it by what presses on it, would lack the force that carries it, and
/// where triangles cross, a barrier is infinite. docs/which_solver.md tells more.
class ReferenceStep {
 public:
  /// The reference has taken a step. What C is, is what its family means by contact: colliders at vertices,
  /// with the friction of what presses at x* (ContactForm::energy), or pairs, with friction lagged at the
  /// beginning of the step (ContactForm::pairs). `model` and the controls of the input must outlive it.
  ReferenceStep(const Model& model, const CommonStep& step, TakenStep taken, ContactForm form);

  /// The error of positions that a step ended with. Where the reference is in contact and did not converge,
  /// of the positions alone.
  StepError error(const Points& positions);

  /// ∇F [N] at positions, 3×n, zero on held components.
  const Points& gradient(const Points& positions);
  /// Every vertex's share of the energy gap at positions, ½ ∇F·(x − x*) over F(y) − F(x*): together they are
  /// the gap where F is quadratic. Empty where there is no gap.
  Scalars shares_of_gap(const Points& positions);

  const ReferenceRecord& reference() const { return record_; }
  const State& after() const { return taken_.after; }

 private:
  void measure();
  double value(const Points& positions) const;
  double rounding_of_objective();
  std::optional<double> energy_gap(const Points& positions) const;
  bool is_known() const { return record_.contacts == 0 || record_.converged; }

  const Model& model_;
  TakenStep taken_;
  Objective objective_;   // without contact
  Points contact_force_;  // ∂C/∂x at x*, zero on held components; empty: none
  ReferenceRecord record_;
  double rounding_ = 0;  // [J] of F: less tells nothing
  Scratch scratch_;
  Points gradient_;
};

/// What a family makes of contact in a model, as ReferenceStep needs to know it.
ContactForm contact_form(const Model& model, const SolverSettings& settings);

/// Takes reference steps, with one solver for each form of contact.
class References {
 public:
  References(const Scene& scene, const CommonStep& step);

  ReferenceStep take(const Model& model, const State& before, const Input& input, ContactForm form);

 private:
  CommonStep step_;
  std::unique_ptr<Solver> vertices_, pairs_;
};

}  // namespace muslin

#pragma once
#include "muslin/compare/comparison.h"
#include "muslin/solver/objective.h"
#include "muslin/solver/solver.h"

namespace muslin {

/// Distances between two sets of positions.
PositionError position_error(const Points& positions, const Points& others);

/// A step of a solver with the clock of the scene.
StepReport take_step(const Model& model, Solver& solver, const Input& input, State& state, double h);

/// One step from one state, solved as exactly as can be: what every other step from that state is held
/// against.
class Yardstick {
 public:
  /// `reference` takes the step. `model` and the controls of `input` must outlive the yardstick.
  Yardstick(const Model& model, const State& before, const Input& input, const CommonStep& step,
            Solver& reference);

  /// The reference has taken the step from `before`: to `after`, as `report` says.
  Yardstick(const Model& model, const State& before, const State& after, const Input& input,
            const CommonStep& step, const StepReport& report);

  /// The error of positions that a step ended with. Of cloth in contact (`touched`, or the reference was) the
  /// positions alone, since F leaves contact out.
  StepError error(const Points& positions, bool touched);

  const ReferenceStep& reference() const { return reference_; }
  const State& after() const { return after_; }

 private:
  void measure(const Input& input, const StepReport& report);
  double rounding_of_objective();
  std::optional<double> energy_gap(const Points& positions) const;

  const Model& model_;
  Objective objective_;
  State after_;
  ReferenceStep reference_;
  double rounding_ = 0;  ///< [J] of F: less tells nothing
  Scratch scratch_;
  Points gradient_;
};

}  // namespace muslin

#pragma once
#include <memory>
#include <vector>

#include "muslin/core/budget.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// What the world does to the cloth during one step: the only thing that flows back into a run.
struct Input {
  const Model* model = nullptr;        ///< must outlive the input
  const Controls* controls = nullptr;  ///< must outlive the input, unless they are `aimed`
  std::shared_ptr<const Controls>
      aimed;                         ///< these, where springs draw to places that differ from step to step
  double time_start = 0;             ///< of the step [s]
  double time_end = 0;               ///< of the step [s]
  std::vector<Pose> collider_start;  ///< one a collider: where it is at time_start
  std::vector<Pose> collider_end;    ///< likewise at time_end
  Points pin_targets;                ///< 3×pins, places at time_end [m]
  bool may_be_cut = false;  ///< whether a step may ask to be taken in parts instead (StepReport::parts)
  bool ends_frame = false;  ///< the last step of its frame
  bool measures_balance =
      false;                 ///< a step whose balance is reported: sweeps of constraints measure no other
  Budget* budget = nullptr;  ///< what the step may take; null: what it likes. Once that is over, a solver
                             ///< ends its step where it is, which is no step of the method any more

  /// Whether one more iteration may be made, or one that costs as much as so many; it is counted.
  bool spend(std::int64_t iterations = 1) const { return !budget || budget->spend(iterations); }
  /// Whether the step must end; always false without a budget.
  bool is_over() const { return budget && budget->is_over(); }
};

/// What controls prescribe between two times; `controls` must outlive the input.
Input make_input(const Model& model, const Controls& controls, double time_start, double time_end);

/// What the scene prescribes between two times; `model` must outlive the input.
inline Input scripted_input(const Model& model, double time_start, double time_end) {
  return make_input(model, model.script, time_start, time_end);
}
Input scripted_input(Model&&, double, double) = delete;  ///< such a model would be gone

/// The part of a step's input between two fractions of it, 0 ≤ from < to ≤ 1: pins go straight from where
/// `positions` has them, colliders turn evenly.
Input part_of(const Input& input, const Points& positions, double from, double to);

/// Springs of pins draw to where these are when colliders have such poses at a time [s].
void aim_springs(const Model& model, const std::vector<Pose>& poses, double time, Controls& controls);

/// Gives what colliders carry the targets that these have at the end of the step.
void aim_fastened(Input& input);

/// Puts held components on their targets.
void apply_pins(const Input& input, Points& positions);

}  // namespace muslin

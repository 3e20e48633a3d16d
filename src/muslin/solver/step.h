#pragma once
#include "muslin/contact/vertices/respond.h"
#include "muslin/core/timer.h"
#include "muslin/model/forces.h"
#include "muslin/solver/solver.h"

// What the first and the last lines of a step have in common in all families.

namespace muslin {

/// (1 − velocity_loss) e^{−ch} v: velocities after air damping c and a solver's own loss.
inline Points damped(const Model& model, const Points& velocities, double h, double velocity_loss) {
  return (1 - velocity_loss) * std::exp(-model.damping * h) * velocities;
}

/// Self-collision, then colliders, then pins on their targets; entered in the report.
void resolve_contacts(const Model& model, const Input& input, const Points& start, Points& positions,
                      StepReport& report);

/// The step's result: v and x become the state; the gap to the colliders and whether numbers stayed finite
/// are entered in the report.
void finish_step(const Model& model, const Input& input, Points positions, Points velocities, State& state,
                 StepReport& report);

}  // namespace muslin

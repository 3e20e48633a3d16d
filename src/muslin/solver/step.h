#pragma once
#include "muslin/contact/respond.h"
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

/// Worsens the status to diverged if a position or velocity is not finite.
void check_finite(const State& state, StepReport& report);

}  // namespace muslin

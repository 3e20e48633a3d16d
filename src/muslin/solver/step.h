#pragma once
#include "muslin/contact/vertices/respond.h"
#include "muslin/core/maths.h"
#include "muslin/core/timer.h"
#include "muslin/model/forces.h"
#include "muslin/solver/solver.h"

// The first and last lines of a step, common to all families.

namespace muslin {

/// (1 − velocity_loss) e^{−ch} v: velocities after air damping c and a solver's own loss.
inline Points damped(const Model& model, const Points& velocities, double h, double velocity_loss) {
  return (1 - velocity_loss) * maths::exp(-model.damping * h) * velocities;
}

// Predictor y = x + h v + h² a, with damped v: the motion by inertia and external forces. Minimisers sum it
// as (x + h v) + h² a. Families that keep the velocity use predicted_velocities and x + h (v + h a), which
// rounds differently.

/// x + h v: the motion by inertia alone [m].
Points inertial_start(const Model& model, const State& state, double h, double velocity_loss);

/// y [m], with the external acceleration at the beginning of the step.
Points predictor(const Model& model, const Controls& controls, const State& state, double h,
                 double velocity_loss);

/// v + h a [m/s].
inline Points predicted_velocities(const Model& model, const Points& velocities, const Points& acceleration,
                                   double h, double velocity_loss) {
  return damped(model, velocities, h, velocity_loss) + h * acceleration;
}

/// A BDF2 step written as a step of backward Euler from another state. For a blend of b BDF2 and 1 − b Euler,
///   x' = ((1 + b/2) x_{n+1} − (1 + b) x_n + b/2 x_{n−1}) / h = (x_{n+1} − s) / h',  h' = h / (1 + b/2),
/// and likewise for velocities. `state` must hold the step before in its history.
struct EulerStart {
  State from;  ///< s [m] and the corresponding velocities [m/s]
  double h;    ///< h' [s]
};
EulerStart euler_start(const State& state, double h, double bdf2_part);

/// Resolves self-collision, then colliders, then puts pins at their targets; reports them.
void resolve_contacts(const Model& model, const Input& input, const Points& start, VertexMemory& memory,
                      Points& positions, StepReport& report);

/// The step's result: v and x become the state; the gap to the colliders and whether numbers stayed finite
/// are entered in the report.
void finish_step(const Model& model, const Input& input, Points positions, Points velocities,
                 VertexMemory& memory, State& state, StepReport& report);

}  // namespace muslin

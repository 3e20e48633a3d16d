#include "muslin/solver/step.h"

#include "muslin/contact/vertices/jumped.h"

namespace muslin {

Points inertial_start(const Model& model, const State& state, double h, double velocity_loss) {
  return state.positions + h * damped(model, state.velocities, h, velocity_loss);
}

Points predictor(const Model& model, const Controls& controls, const State& state, double h,
                 double velocity_loss) {
  return inertial_start(model, state, h, velocity_loss) +
         h * h * external_acceleration(model, controls, state, h);
}

EulerStart euler_start(const State& state, double h, double bdf2_part) {
  const double whole = 1 + bdf2_part / 2, now = (1 + bdf2_part) / whole, before = bdf2_part / 2 / whole;
  EulerStart start{{}, h / whole};
  start.from.positions = now * state.positions - before * state.history.positions;
  start.from.velocities = now * state.velocities - before * state.history.velocities;
  return start;
}

void resolve_contacts(const Model& model, const Input& input, const Points& start, VertexMemory& memory,
                      Points& positions, StepReport& report) {
  const Timer timer(report.contact_ms);
  report.contacts = push_apart(model, input.controls->free, memory.neighbours, positions);
  report.contacts += push_out(model, input, start, memory.probes, positions).contacts;
  apply_pins(input, positions);
  find_jumped(model, input, start, memory.probes, positions, report);
}

void finish_step(const Model& model, const Input& input, Points positions, Points velocities,
                 VertexMemory& memory, State& state, StepReport& report) {
  state.positions = std::move(positions);
  state.velocities = std::move(velocities);
  if (state.blocked.cols() == 0 && !model.colliders.empty())
    report.min_gap = least_gap(model, input, memory.probes, state.positions);
  if (!state.positions.allFinite() || !state.velocities.allFinite()) report.status = Status::diverged;
}

}  // namespace muslin

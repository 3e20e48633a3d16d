#include "muslin/solver/step.h"

#include "muslin/contact/jumped.h"

namespace muslin {

void resolve_contacts(const Model& model, const Input& input, const Points& start, Points& positions,
                      StepReport& report) {
  const Timer timer(report.contact_ms);
  report.contacts = push_apart(model, input.controls->free, positions);
  report.contacts += push_out(model, input, start, positions).contacts;
  apply_pins(input, positions);
  find_jumped(model, input, start, positions, report);
}

void finish_step(const Model& model, const Input& input, Points positions, Points velocities, State& state,
                 StepReport& report) {
  state.positions = std::move(positions);
  state.velocities = std::move(velocities);
  if (state.blocked.cols() == 0 && !model.colliders.empty())
    report.min_gap = least_gap(model, input, state.positions);
  if (!state.positions.allFinite() || !state.velocities.allFinite()) report.status = Status::diverged;
}

}  // namespace muslin

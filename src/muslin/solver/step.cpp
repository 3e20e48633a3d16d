#include "muslin/solver/step.h"

namespace muslin {

void resolve_contacts(const Model& model, const Input& input, const Points& start, Points& positions,
                      StepReport& report) {
  const Timer timer(report.contact_ms);
  report.contacts = push_apart(model, positions);
  const ContactReport met = push_out(model, input, start, positions);
  report.contacts += met.contacts;
  report.min_gap = std::min(report.min_gap, met.min_gap);
  apply_pins(model, input, positions);
}

void check_finite(const State& state, StepReport& report) {
  if (!state.positions.allFinite() || !state.velocities.allFinite()) report.status = Status::diverged;
}

}  // namespace muslin

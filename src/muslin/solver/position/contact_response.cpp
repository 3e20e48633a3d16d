#include "muslin/solver/position/contact_response.h"

#include <algorithm>

#include "muslin/contact/vertices/jumped.h"
#include "muslin/contact/vertices/respond.h"
#include "muslin/core/timer.h"
#include "muslin/solver/step.h"

namespace muslin {

void ContactResponse::resolve(const Model& model, const Input& input, const Points& start, double h,
                              Points& positions, StepReport& report) {
  if (contact_ == PositionContact::pairs && model.self_collision.enabled)
    keep_pairs_apart(model, input, start, h, positions, report);
  else
    resolve_contacts(model, input, start, memory_, positions, report);
}

// Pairs apart, vertices out of colliders, pins on their targets; last of all, no further than lets nothing of
// cloth meet.
void ContactResponse::keep_pairs_apart(const Model& model, const Input& input, const Points& start, double h,
                                       Points& positions, StepReport& report) {
  const Timer timer(report.contact_ms);
  if (!positions.allFinite()) return;  // nowhere to look for pairs
  if (!pairs_) pairs_.emplace(model);
  pairs_->begin(start);
  report.contacts = pairs_->push_apart(input.controls->inverse_mass, h, positions);
  report.contacts += push_out(model, input, start, memory_.probes, positions).contacts;
  apply_pins(input, positions);
  const Points wanted = positions;
  report.cut = pairs_->cut(positions);
  find_jumped(model, input, start, memory_.probes, positions, report);
  for (const PinnedVertex& pin : input.controls->pins) {
    const Vec3 short_of = pin.fixed.cwiseProduct(wanted.col(pin.vertex) - positions.col(pin.vertex));
    report.blocked = std::max(report.blocked, short_of.norm());
  }
  report.jammed = report.blocked > 0;
  report.least_distance = pairs_->least_distance();
}

}  // namespace muslin

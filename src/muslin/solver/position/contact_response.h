#pragma once
#include <optional>

#include "muslin/contact/bounded/bounded_contact.h"
#include "muslin/contact/vertices/respond.h"
#include "muslin/model/input.h"
#include "muslin/model/report.h"

namespace muslin {

/// How a step of `position` meets colliders and other cloth, as `position.contact` says.
class ContactResponse {
 public:
  explicit ContactResponse(PositionContact contact) : contact_(contact) {}

  /// Moves what a step of h seconds from `start` made of the positions. Enters contacts and what they cost.
  void resolve(const Model& model, const Input& input, const Points& start, double h, Points& positions,
               StepReport& report);

  VertexMemory& memory() { return memory_; }

  /// The model or the controls are others.
  void forget() { pairs_.reset(); }

 private:
  void keep_pairs_apart(const Model& model, const Input& input, const Points& start, double h,
                        Points& positions, StepReport& report);

  PositionContact contact_;
  std::optional<BoundedContact> pairs_;  // of cloth that meets itself, if settings have it so
  VertexMemory memory_;
};

}  // namespace muslin

#pragma once
#include "muslin/contact/pair_contact.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/newton_system.h"

namespace muslin {

/// When a descent in contact ends.
struct Enough {
  double tolerance;  ///< [m] estimated distance to the minimum, as of the solver it stands in for
  int iterations;
  double forcing;  ///< relative error of the linear solves
};

/// Newton's method on F with contact of whole triangles [Li 2020]: every pair that is near is a row of the
/// Hessian, the preconditioner sees the rows' block-diagonal bound, and steps end before anything touches.
/// Pins and bodies go to their targets and take cloth along, as far as there is room in every iteration;
/// those that squeeze cloth against something that cannot give way stop short of them, and the report says
/// so.
class ContactNewton {
 public:
  explicit ContactNewton(const Model& model) : contact_(model) {}

  /// A step begins; x are positions that are wanted if nothing is in the way.
  void begin(const Task& task, const Points& x);

  /// Whether cloth comes from the beginning of the step to x, and bodies to their targets, without meeting
  /// anything.
  bool is_clear(const Points& x);

  /// From the beginning of the step to the minimum; x is the result. `way_to_go` estimates the distance [m]
  /// to the minimum from gradient and direction.
  using WayToGo = std::function<double(const Points& gradient, const Points& direction)>;
  void minimise(const Task& task, const Enough& enough, NewtonSystem& system, const WayToGo& way_to_go,
                Points& x, StepReport& report);

 private:
  double drive();
  void stop_the_squeezing();
  bool find_direction(const Objective& objective, const Points& driven, NewtonSystem& system, double forcing,
                      StepReport& report);
  void report_held_up(const Points& targets, Points& held_up, StepReport& report);
  Points driven_way() const;
  double search_line(const Objective& objective);
  double value(const Objective& objective, const Points& all) const;
  int cloth() const { return contact_.scene().cloth_count(); }

  PairContact contact_;
  Filter held_;
  Points start_, goal_;  // of all vertices
  Points all_;           // the iterate
  Points direction_;     // of all
  Points gradient_, step_, other_step_;
  bool convex_ = true;  // F, where this step has been
  Scratch scratch_;
};

}  // namespace muslin

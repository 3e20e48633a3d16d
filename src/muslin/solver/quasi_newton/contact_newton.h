#pragma once
#include "muslin/contact/pairs/pair_contact.h"
#include "muslin/solver/minimiser_step.h"
#include "muslin/solver/newton_system.h"

namespace muslin {

/// When a descent ends.
struct Enough {
  double tolerance;  ///< [m] of way_to_go
  int iterations;
  double forcing;  ///< relative error of the linear solves
  /// Estimates the distance [m] to the minimum.
  std::function<double(const Points& gradient, const Points& direction)> way_to_go;
  std::function<bool(const Points& x)> is_calm;  ///< what else is asked of a minimum
};

/// Newton's method on F with contact of whole triangles [Li 2020]: every pair that is near is a row of the
/// Hessian and of its preconditioner, and steps end before anything touches; where that is early, one looks
/// for a direction again that foresees what is met (append_rows_ahead).
/// Pins and bodies go to their targets and take cloth along, as far as there is room in every iteration;
/// those that squeeze cloth against something that cannot give way stop short of them, and the report says
/// so. Without contact it is Newton's method with exact curvature, for minima that are hard to find.
class ContactNewton {
 public:
  ContactNewton(const Model& model, const Controls& controls) : contact_(model, controls) {}

  /// A step begins, with all where it is; x are positions that are wanted if nothing is in the way.
  void begin(const Task& task, const Points& x);

  /// The descent begins where cloth would be by its velocity alone, or as far on that way as it is safe and F
  /// falls: what slides is not taken for what sticks.
  void coast(const Task& task);

  /// The descent begins at x, and where bodies and pins shall be: is_clear(x) must hold.
  void go_to(const Points& x);

  /// Whether cloth comes from the beginning of the step to x, and bodies to their targets, without meeting
  /// anything.
  bool is_clear(const Points& x);

  /// How far what meets on the way to x moves relative to each other, in thicknesses.
  double relative_motion(const Points& x) const;

  /// To the minimum, which x is then.
  void minimise(const Task& task, const Enough& enough, NewtonSystem& system, Points& x, StepReport& report);

 private:
  struct Outlook {
    double safe;    // how much of the direction may be gone
    bool detected;  // whether pairs were looked for anew
  };
  double drive();
  bool is_restless(const Task& task, double part, NewtonSystem& system, double forcing, StepReport& report);
  bool squeezes() const;
  bool stop_the_squeezing(const Points& driven);
  bool find_direction(const Task& task, const Points& driven, NewtonSystem& system, double forcing,
                      StepReport& report);
  void report_held_up(const Points& targets, Points& blocked, StepReport& report);
  Points way_to(const Points& x) const;
  Points driven_way() const;
  void evaluate(const Objective& objective, StepReport& report);
  bool list_pairs_ahead();
  Outlook look_ahead(const Task& task, NewtonSystem& system, double forcing, StepReport& report);
  double search_line(const Objective& objective, double safe);
  std::int64_t work() const;
  double value(const Objective& objective, const Points& all) const;
  int cloth() const { return contact_.scene().cloth_count(); }

  PairContact contact_;
  Filter held_;
  Points start_, goal_;  // of all vertices
  Points all_;           // the iterate
  Points direction_;     // of all
  ContactRows rows_;     // of contact at the iterate
  Points gradient_, step_, other_step_;
  bool convex_ = true;  // F, where this step has been
  Scratch scratch_;
};

}  // namespace muslin

#pragma once
#include <utility>

#include "muslin/solver/line_search.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/quasi_newton/contact_problem.h"
#include "muslin/solver/quasi_newton/lagged_cycle.h"
#include "muslin/solver/quasi_newton/stop_criteria.h"

namespace muslin {

/// Newton's method on F with contact of whole triangles [Li 2020]: every pair that is near is a row of the
/// Hessian and of its preconditioner, and steps end before anything touches; where that is early, one looks
/// for a direction again that foresees what is met (append_rows_ahead).
///
/// Pins and bodies go to their targets and take cloth along, as far as there is room in every iteration; then
/// F falls. Those that jam cloth against something that cannot give way stop short of them, and the report
/// says so. Without contact it is Newton's method with exact curvature, for minima that are hard to find.
class ContactNewton {
 public:
  /// For one step. `forcing` is the relative error of linear solves. All must outlive it.
  ContactNewton(ContactProblem& contact, const StopCriteria& criteria, NewtonSystem& system, double forcing,
                StepReport& report)
      : contact_(contact),
        step_(contact.step()),
        criteria_(criteria),
        system_(system),
        forcing_(forcing),
        report_(report),
        held_(held_axes(step_.objective.controls())) {}

  /// From places of all to the minimum, where cloth is then returned. Iterations beyond the most there shall
  /// be, up to `in_need`, are for what would else lose its momentum.
  Points minimise(Points from, int most_iterations, int in_need);

 private:
  /// What keeps bodies and pins from going on.
  struct Patience {
    bool may_wait = true, must_wait = false;  // for cloth that gives way
    int jams = 0;                             // in a row
  };
  bool waits(Patience& patience);
  bool is_unsettled(double change);
  bool is_pressed_and_moving(double change) const;
  void move_prescribed(const Points& prescribed, Patience& patience);
  bool find_direction(const Points& prescribed, double forcing);
  bool solve(Hessian which, const Points& prescribed, double forcing, Points& d);
  void evaluate();
  double distance_left() const;
  double part_gone() const;
  bool is_near() const;
  bool loses_momentum() const;
  void search(const Points& way, double safe, double least);
  std::pair<Points, double> each_as_far_as_safe() const;
  bool descend();
  bool look_ahead(double& safe);
  bool foresee(bool turns);
  double longest_move() const;
  std::int64_t work() const;
  int cloth() const { return contact_.cloth(); }

  ContactProblem& contact_;
  const StepProblem& step_;
  const StopCriteria& criteria_;
  NewtonSystem& system_;
  double forcing_;
  StepReport& report_;
  Filter held_;
  Iterate here_, next_;          // of all; gradients of cloth
  bool is_value_known_ = false;  // here_.value, of the pairs that are listed now
  Points direction_;             // of all
  Points moved_;                 // of all, by the iteration before; empty without
  ContactRows rows_;             // of pairs at the iterate
  bool convex_ = true;           // F, where this step has been
  double linear_error_ = 0;      // of the direction, relative
  WayLeft way_left_;
  LaggedCycle cycle_;
  Scratch scratch_;
};

}  // namespace muslin

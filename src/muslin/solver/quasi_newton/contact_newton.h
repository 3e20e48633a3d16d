#pragma once
#include <utility>

#include "muslin/solver/line_search.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/quasi_newton/contact_problem.h"
#include "muslin/solver/quasi_newton/lagged_cycle.h"
#include "muslin/solver/quasi_newton/stop_criteria.h"

namespace muslin {

/// Newton's method on F with contact of triangles as an energy [Li 2020]. Every near pair enters the Hessian
/// and its preconditioner, and no step touches anything. Where a step would be stopped early, the linear
/// system is solved again with rows for the pairs it would meet (append_rows_ahead).
///
/// An iteration is in one of three phases. *Prescribe*: pins and bodies go to their targets as far as there
/// is room, and cloth goes along to first order. *Relax*: cloth that is pressed gets time to give way.
/// *Descend*: all targets are reached, or wait, and F decreases. Bodies and pins that jam cloth against
/// something rigid stop short of their targets; the report says so.
///
/// Without contact this is Newton's method with the exact Hessian, for minima that are hard to find.
class ContactNewton {
 public:
  /// Solves one step. `forcing` is the relative error of linear solves. All must outlive it.
  ContactNewton(ContactProblem& contact, const StopCriteria& criteria, NewtonSystem& system, double forcing,
                StepReport& report)
      : contact_(contact),
        step_(contact.step()),
        criteria_(criteria),
        system_(system),
        forcing_(forcing),
        report_(report),
        held_(held_axes(step_.objective.controls())) {}

  /// Minimises F from the places of all vertices, and returns those of cloth. Iterations beyond
  /// `most_iterations`, up to `in_need`, are taken only where a piece would lose momentum or a target is not
  /// reached.
  Points minimise(Points from, int most_iterations, int in_need);

 private:
  enum class Phase { prescribe, relax, descend };
  /// What keeps bodies and pins from moving on.
  struct Jam {
    bool may_relax = true, must_relax = false;
    int count = 0;  // iterations in a row
  };
  // The phases
  bool must_relax();
  bool is_unsettled(double change);
  bool is_pressed_and_moving(double change) const;
  void prescribe(const Points& prescribed);
  bool descend();
  void finish();

  // The direction
  void evaluate();
  bool find_direction(const Points& prescribed, double forcing);
  bool solve(Hessian which, const Points& prescribed, double forcing, Points& d);
  bool look_ahead(double& safe);
  bool foresee(bool turns);

  // The step
  void search(const Points& way, double safe, double least);
  std::pair<Points, double> each_as_far_as_safe() const;

  // The end
  double distance_left() const;
  double accepted() const;
  double remaining() const;
  bool is_near() const;
  bool loses_momentum() const;
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
  Jam jam_;
  Iterate here_, next_;          // places of all vertices, gradients of cloth
  bool is_value_known_ = false;  // here_.value holds for the pairs listed now
  Points direction_;             // of all vertices
  Points moved_;                 // by the last iteration, of all vertices; empty if nothing moved
  ContactRows rows_;             // of the pairs at the iterate
  bool convex_ = true;           // no negative curvature has been met in this step
  double linear_error_ = 0;      // relative, of the direction
  ConvergenceEstimate estimate_;
  LaggedCycle cycle_;
  Scratch scratch_;
};

}  // namespace muslin

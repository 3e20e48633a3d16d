#pragma once
#include <deque>

#include "muslin/solver/lbfgs.h"
#include "muslin/solver/line_search.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/quasi_newton/stop_criteria.h"

namespace muslin {

/// Measures how fast L-BFGS converges with one preconditioner.
class Progress {
 public:
  void reset() { decreases_.clear(); }
  /// Records −g·d of an iteration. True if it has decreased too little over the last iterations.
  bool is_slow(double decrease);

 private:
  std::deque<double> decreases_;  // oldest first
};

/// Solves a step without contact by L-BFGS on F. The initial inverse is a multigrid cycle on the Hessian at
/// the predicted state [after Liu 2017], rebuilt when convergence slows down. If that does not help, the
/// solve is given up and Newton's method continues from its last iterate.
class FreeSolve {
 public:
  explicit FreeSolve(const QuasiNewtonSettings& settings)
      : most_iterations_(settings.most_iterations()), memory_(settings.history) {}

  /// Minimises F from x. True if it converged; report.status says so, too.
  bool minimise(const StepProblem& problem, const StopCriteria& criteria, NewtonSystem& system, Points& x,
                StepReport& report);

 private:
  void begin(const StepProblem& problem, Points& x, StepReport& report);
  bool rebuild(const Objective& objective, NewtonSystem& system, StepReport& report);
  double descend(const StepProblem& problem, StepReport& report);

  int most_iterations_;
  Lbfgs memory_;
  Progress progress_;
  Filter filter_;
  Scratch scratch_;
  Points direction_;
  Iterate here_, next_;
  double slope_reduction_ = 1;  // of the last step, over what the matrix promised
};

}  // namespace muslin

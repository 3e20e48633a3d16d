#pragma once
#include <deque>

#include "muslin/solver/lbfgs.h"
#include "muslin/solver/line_search.h"
#include "muslin/solver/newton_system.h"
#include "muslin/solver/quasi_newton/stop_criteria.h"

namespace muslin {

/// How quickly directions of one matrix lead on.
class Progress {
 public:
  void reset() { decreases_.clear(); }
  /// Takes note of −g·d of an iteration; true if it is hardly less than that of some iterations ago.
  bool is_slow(double decrease);

 private:
  std::deque<double> decreases_;  // oldest first
};

/// A step as if there were nothing to meet: L-BFGS on F whose first inverse is a multigrid cycle on the
/// Hessian at the predicted state. Where that Hessian grows stale it is built anew. Where that does not help,
/// it gives up: Newton's method goes on from there.
class FreeSolve {
 public:
  explicit FreeSolve(const QuasiNewtonSettings& settings)
      : most_iterations_(settings.most_iterations()), memory_(settings.history) {}

  /// From x towards the minimum, as near as it comes without difficulty. Whether it arrived; report.status
  /// says so, too.
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
  double slope_reduction_ = 1;  // of what the matrix promised, what the last step's length has taken away
};

}  // namespace muslin

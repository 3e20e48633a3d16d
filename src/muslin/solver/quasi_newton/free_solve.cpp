#include "muslin/solver/quasi_newton/free_solve.h"

#include <cmath>

#include "muslin/core/vector.h"
#include "muslin/solver/objective.h"

namespace muslin {

namespace {

// What half and double of these do to work and result: docs/performance/constants.md.
constexpr double kShortStep = 0.5;         // accepted step length below which the preconditioner is rebuilt
constexpr int kWindow = 3;                 // iterations over which convergence is measured,
constexpr double kSlow = 0.6 * 0.6 * 0.6;  // and the remaining fraction of −g·d above which it is slow
constexpr int kMostRebuilds = 2;           // of a step because of slow convergence
constexpr int kLongStep = 25;              // iterations after which Newton's method takes over

}  // namespace

bool Progress::is_slow(double decrease) {
  decreases_.push_back(decrease);
  if (static_cast<int>(decreases_.size()) <= kWindow) return false;
  if (static_cast<int>(decreases_.size()) > kWindow + 1) decreases_.pop_front();
  return decrease > kSlow * decreases_.front();
}

bool FreeSolve::minimise(const StepProblem& problem, const StopCriteria& criteria, NewtonSystem& system,
                         Points& x, StepReport& report) {
  begin(problem, x, report);
  bool is_positive = rebuild(problem.objective, system, report);
  for (int k = 0, slow_rebuilds = 0; is_positive && k <= most_iterations_ && problem.input.spend(); ++k) {
    // 1. The direction
    memory_.direction(
        here_.gradient, [&](const Points& b, Points& d) { system.cycle(b, d); }, direction_);
    if (!direction_.allFinite()) break;

    // 2. The end
    report.distance_left = criteria.distance(here_.gradient, direction_, slope_reduction_);
    if (k > 0 && *report.distance_left <= criteria.tolerance(0) && criteria.bounds_energy(here_.x)) {
      report.status = Status::ok;
      break;
    }
    if (k == most_iterations_ || (k > 0 && criteria.is_late())) break;

    // 3. The step
    const bool is_fresh = memory_.empty();  // the direction is a multigrid cycle alone
    const double decrease = -dot(here_.gradient, direction_);
    const double length = descend(problem, report);
    report.iterations = k + 1;
    if (length == 0 && is_fresh) break;  // no descent: rounding errors dominate

    // 4. Rebuild a stale preconditioner, or give up
    const bool slow = progress_.is_slow(decrease);
    if (k > kLongStep || (slow && slow_rebuilds == kMostRebuilds)) break;
    if (length >= kShortStep && !slow) continue;
    if (slow) ++slow_rebuilds;
    ++report.rebuilds;
    is_positive = rebuild(problem.objective, system, report);
  }
  x = here_.x;
  return report.status == Status::ok;
}

void FreeSolve::begin(const StepProblem& problem, Points& x, StepReport& report) {
  report.status = Status::not_converged;
  here_.x = x;
  evaluate(problem.objective, scratch_, here_);
  report.residual_start = root_mean_square(here_.gradient);
  problem.show(here_.x);
  filter_ = pin_filter(problem.input, here_.x);
  slope_reduction_ = 1;
}

// Builds the multigrid cycle on the Hessian at the iterate. False if that is not positive definite.
bool FreeSolve::rebuild(const Objective& objective, NewtonSystem& system, StepReport& report) {
  ++report.setups;
  memory_.clear();
  progress_.reset();
  return system.update_multigrid(objective, here_.x, Hessian::model, filter_);
}

// Line search, and the update of L-BFGS. Returns the step length, 0 if F does not decrease.
double FreeSolve::descend(const StepProblem& problem, StepReport& report) {
  const LineSearch rules{Rounding::flattens, 1, kShortStep, false, true};
  const double length = search_line(problem.objective, here_, direction_, rules, scratch_, next_).length;
  if (length == 0) return 0;
  slope_reduction_ = slope_reduction(here_, next_, direction_, length);
  memory_.add(here_.x, next_.x, here_.gradient, next_.gradient);
  std::swap(here_, next_);
  report.last_move = length * std::sqrt(direction_.colwise().squaredNorm().maxCoeff());
  problem.show(here_.x);
  return length;
}

}  // namespace muslin

#include "muslin/solver/quasi_newton/free_solve.h"

#include <cmath>

#include "muslin/core/vector.h"
#include "muslin/solver/objective.h"

namespace muslin {

namespace {

// What half and double do to work and result: docs/performance/constants.md.

// Rebuild the preconditioner when the line search accepts less than this step length: it tries 1 and ½ alone,
// as a new matrix costs less than a tiny step gains. With 1, hang takes 3.2 times the work; flag changes by a
// tenth with 1 or ¼.
constexpr double kShortStep = 0.5;
// Iterations over which progress is measured, and what may be left of −g·d after them: 0.6 an iteration,
// at which pace five iterations leave a tenth. Half or double of the pace: within 5 %; a window of two: hang
// +23 %, flag −8 %.
constexpr int kWindow = 3;
constexpr double kSlow = 0.6 * 0.6 * 0.6;
// Rebuilds of a step because of slowness: what two do not mend is curvature that no one matrix describes.
// With one, hang takes 3 times the work; with four, 12 % less, flag 4 % less.
constexpr int kMostRebuilds = 2;
// Iterations after which Newton's method takes over: L-BFGS of three pairs learns nothing new by then. 12 or
// 50: hang +43 or −14 %, flag −14 or −11 %.
constexpr int kLongStep = 25;

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
    // 1. Downwards
    memory_.direction(
        here_.gradient, [&](const Points& b, Points& d) { system.cycle(b, d); }, direction_);
    if (!direction_.allFinite()) break;

    // 2. Near enough?
    report.distance_left = criteria.distance(here_.gradient, direction_, slope_reduction_);
    if (k > 0 && *report.distance_left <= criteria.tolerance(0) && criteria.is_calm(here_.x)) {
      report.status = Status::ok;
      break;
    }
    if (k == most_iterations_ || (k > 0 && criteria.is_late())) break;

    // 3. As far as F falls
    const bool is_fresh = memory_.empty();  // a direction of H at the iterate
    const double decrease = -dot(here_.gradient, direction_);
    const double length = descend(problem, report);
    report.iterations = k + 1;
    if (length == 0 && is_fresh) break;  // no way down: rounding hides what is left

    // 4. A matrix that no longer fits, or too many iterations
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

// The Hessian at the iterate, and cycles on it. False if it is not positive definite.
bool FreeSolve::rebuild(const Objective& objective, NewtonSystem& system, StepReport& report) {
  ++report.setups;
  memory_.clear();
  progress_.reset();
  return system.update_multigrid(objective, here_.x, Hessian::model, filter_);
}

// Along the direction, and what is learnt from it; the step length, 0 if there is no way down.
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

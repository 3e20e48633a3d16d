#include "muslin/solver/line_search.h"

#include "muslin/core/parallel.h"
#include "muslin/core/vector.h"

namespace muslin {

namespace {

constexpr double kCut = 0.5;  // of the step, when it does not decrease F enough

}  // namespace

void evaluate(const Objective& objective, Scratch& scratch, Iterate& iterate) {
  iterate.value = objective.value_and_gradient(iterate.x, scratch, iterate.gradient);
}

double search_line(const Objective& objective, const Iterate& from, const Points& direction, Scratch& scratch,
                   Iterate& next, double shortest) {
  const double slope = dot(from.gradient, direction);
  if (!(slope < 0)) return 0;
  next.x.resize(3, from.x.cols());
  for (double alpha = 1; alpha >= shortest; alpha *= kCut) {
    const int moved = parallel_sum(static_cast<int>(from.x.cols()), 0, [&](int v) {
      next.x.col(v) = from.x.col(v) + alpha * direction.col(v);
      return next.x.col(v) != from.x.col(v) ? 1 : 0;
    });
    if (moved == 0) return 0;
    const bool at_once = alpha == 1;  // most often enough, and two passes cost more than one
    next.value =
        at_once ? objective.value_and_gradient(next.x, scratch, next.gradient) : objective.value(next.x);
    const bool decreases = next.value <= from.value + kArmijo * alpha * slope;
    if (!decreases && !(next.value <= from.value * (1 + kNoise))) continue;
    if (!at_once) objective.gradient(next.x, scratch, next.gradient);
    if (decreases || dot(next.gradient, direction) <= (2 * kArmijo - 1) * slope) return alpha;
  }
  return 0;
}

}  // namespace muslin

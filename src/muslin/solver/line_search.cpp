#include "muslin/solver/line_search.h"

namespace muslin {

namespace {

constexpr double kArmijo = 1e-4;     // of the decrease that the slope promises
constexpr double kCut = 0.5;         // of the step, when it does not decrease F enough
constexpr double kShortest = 1e-6;   // step length below which a direction is given up
constexpr double kRounding = 1e-12;  // of F, below which only its gradient can tell decrease from increase

double dot(const Points& a, const Points& b) { return a.cwiseProduct(b).sum(); }

}  // namespace

void evaluate(const Objective& objective, Scratch& scratch, Iterate& iterate) {
  objective.lag(iterate.x);
  iterate.value = objective.value(iterate.x);
  objective.gradient(iterate.x, scratch, iterate.gradient);
}

double search_line(const Objective& objective, const Iterate& from, const Points& direction, Scratch& scratch,
                   Iterate& next) {
  const double slope = dot(from.gradient, direction);
  if (!(slope < 0)) return 0;
  for (double alpha = 1; alpha >= kShortest; alpha *= kCut) {
    next.x = from.x + alpha * direction;
    if (next.x == from.x) return 0;
    next.value = objective.value(next.x);
    const bool decreases = next.value <= from.value + kArmijo * alpha * slope;
    if (!decreases && !(next.value <= from.value * (1 + kRounding))) continue;
    objective.gradient(next.x, scratch, next.gradient);
    if (decreases || dot(next.gradient, direction) <= (2 * kArmijo - 1) * slope) return alpha;
  }
  return 0;
}

}  // namespace muslin

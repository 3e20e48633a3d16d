#include "muslin/solver/quasi_newton/energy_bound.h"

#include <algorithm>
#include <cmath>

#include "muslin/model/forces.h"
#include "muslin/model/measure.h"

namespace muslin {

namespace {
constexpr double kTolerated = 1e-6;  // relative increase of energy that counts as rounding
constexpr double kBack = 0.7;        // factor of the step, for each trial of the backtracking
constexpr double kShortest = 1e-6;   // fraction of the step below which it is given up
}  // namespace

EnergyBound::EnergyBound(const StepProblem& problem, Integrator integrator) : problem_(problem) {
  const Model& model = problem.objective.model();
  const Controls& controls = problem.objective.controls();
  Points held = problem.start;
  apply_pins(problem.input, held);
  is_bound_ = integrator == Integrator::euler && held == problem.start && model.colliders.empty() &&
              !blows(controls.wind) && controls.force.cols() == 0;
  if (!is_bound_) return;
  const Points velocity =
      ((problem.objective.target() - problem.start) / problem.h).colwise() - problem.h * controls.gravity;
  before_ = energy(problem.start, velocity);
}

EnergyBound::Energy EnergyBound::energy(const Points& x, const Points& velocity) const {
  const Objective& objective = problem_.objective;
  const Model& model = objective.model();
  const Points v = velocity.cwiseProduct(objective.controls().free);
  const double inner = kinetic_energy(model, v) + elastic_energy(objective.energies(), x);
  const double height = -objective.controls().gravity.dot((x - problem_.start) * model.mass);
  return {inner + height, std::max(inner, std::abs(inner + height))};
}

bool EnergyBound::holds(const Points& x) const {
  if (!is_bound_) return true;
  const Energy after = energy(x, (x - problem_.start) / problem_.h);
  return after.sum <= before_.sum + kTolerated * std::max(after.size, before_.size);
}

bool EnergyBound::backtrack(Points& x) const {
  if (holds(x)) return false;
  const Points way = x - problem_.start;
  for (double fraction = 1; fraction > 0 && !holds(x);) {
    fraction = fraction > kShortest ? kBack * fraction : 0;
    x = problem_.start + fraction * way;
  }
  return true;
}

}  // namespace muslin

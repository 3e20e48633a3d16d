#include "muslin/compare/yardstick.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {

namespace {
constexpr double kConverged = 1e-7;  // of the residual at y: then a missed tolerance does not matter
constexpr double kRounding = 1e-13;  // of F
constexpr double kTold = 100;        // roundings of F from y to x*, so that the gap is good to one percent
}  // namespace

PositionError position_error(const Points& positions, const Points& others) {
  const Points away = positions - others;
  return {away.norm() / std::sqrt(static_cast<double>(away.cols())),
          std::sqrt(away.colwise().squaredNorm().maxCoeff())};
}

StepReport take_step(const Model& model, Solver& solver, const Input& input, State& state, double h) {
  const StepReport report = solver.step(model, input, state, h);
  state.time = input.time_end;
  ++state.step;
  return report;
}

Yardstick::Yardstick(const Model& model, const State& before, const Input& input, const CommonStep& step,
                     Solver& reference)
    : model_(model),
      objective_(incremental_potential(model, *input.controls, before, step.h, step.velocity_loss)),
      after_(before) {
  const StepReport report = take_step(model, reference, input, after_, step.h);
  measure(input, report);
}

Yardstick::Yardstick(const Model& model, const State& before, const State& after, const Input& input,
                     const CommonStep& step, const StepReport& report)
    : model_(model),
      objective_(incremental_potential(model, *input.controls, before, step.h, step.velocity_loss)),
      after_(after) {
  measure(input, report);
}

void Yardstick::measure(const Input& input, const StepReport& report) {
  Points coasting = objective_.target();
  apply_pins(input, coasting);
  reference_.objective_start = objective_.value(coasting);
  objective_.gradient(coasting, scratch_, gradient_);
  reference_.residual_start = root_mean_square(gradient_);

  reference_.objective = objective_.value(after_.positions);
  objective_.gradient(after_.positions, scratch_, gradient_);
  rounding_ = rounding_of_objective();
  if (energy_gap(coasting))
    reference_.gap_rounding = rounding_ / (reference_.objective_start - reference_.objective);
  reference_.contacts = report.contacts;
  reference_.iterations = report.iterations;
  reference_.residual = report.contacts > 0 ? report.residual.value_or(0) : root_mean_square(gradient_);
  reference_.converged =
      report.status == Status::ok || (report.status == Status::not_converged &&
                                      reference_.residual <= kConverged * reference_.residual_start);
}

// The sum's rounding, and what it costs when every coordinate is off by its last bit.
double Yardstick::rounding_of_objective() {
  const double bit = std::numeric_limits<double>::epsilon() * after_.positions.cwiseAbs().maxCoeff();
  Points shaken = after_.positions;
  for (int v = 0; v < shaken.cols(); ++v)
    shaken.col(v) += (v % 2 ? bit : -bit) * objective_.controls().free.col(v);
  const double cost = std::abs(objective_.value(shaken) - reference_.objective);
  return cost + kRounding * std::max(std::abs(reference_.objective_start), std::abs(reference_.objective));
}

std::optional<double> Yardstick::energy_gap(const Points& positions) const {
  const double whole = reference_.objective_start - reference_.objective;
  if (!(whole > kTold * rounding_)) return {};
  return (objective_.value(positions) - reference_.objective) / whole;
}

StepError Yardstick::error(const Points& positions, bool touched) {
  StepError error;
  error.position = position_error(positions, after_.positions);
  if (touched || reference_.contacts > 0) return error;
  error.energy_gap = energy_gap(positions);
  objective_.gradient(positions, scratch_, gradient_);
  error.residual = root_mean_square(gradient_);
  error.lost_gravity = lost_gravity(model_, objective_.controls(), gradient_);
  return error;
}

}  // namespace muslin

#include "muslin/compare/reference_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/compare/common_step.h"
#include "muslin/contact/pairs/pair_contact.h"
#include "muslin/core/vector.h"

namespace muslin {

namespace {

// Of the residual at y: then a missed tolerance does not matter, as the energy gap goes with its square.
constexpr double kConverged = 1e-7;
// Of F: some hundred roundings of a double.
constexpr double kRounding = 1e-13;
// Roundings of F from y to x*, so that the gap is good to one percent.
constexpr double kTold = 100;

// ∂C/∂x of colliders at vertices, with the friction of what presses there.
Points force_at_vertices(const Model& model, const TakenStep& taken, double h) {
  ContactEnergy contact(model, taken.input, taken.before.positions, h);
  if (contact.empty()) return {};
  const Points& x = taken.minimum;
  contact.lag(x);
  Points force(3, x.cols());
  for (int v = 0; v < x.cols(); ++v) force.col(v) = contact.gradient(v, x.col(v));
  return force;
}

// Cloth, and bodies where they are or cloth keeps them.
Points all_places(const SceneSurfaces& scene, const State& state, const std::vector<Pose>& poses,
                  double time) {
  const Points bodies = scene.bodies_at(poses, time);
  Points all(3, state.positions.cols() + bodies.cols());
  all << state.positions, state.blocked.cols() == bodies.cols() ? state.blocked : bodies;
  return all;
}

// ∂C/∂x of pairs, with friction lagged at the beginning of the step.
Points force_of_pairs(const Model& model, const TakenStep& taken, double h) {
  const Input& input = taken.input;
  PairContact pairs(model, *input.controls);
  const Points start = all_places(pairs.scene(), taken.before, input.collider_start, input.time_start);
  const Points end = all_places(pairs.scene(), taken.after, input.collider_end, input.time_end);
  Points force = Points::Zero(3, model.vertex_count());
  if (!end.allFinite()) return force;
  pairs.begin(start, end - start, h, taken.before.slips, taken.before.history.struck);
  int active = 0;
  pairs.rows(end, nullptr, active).add_gradient(force);
  return force;
}

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

TakenStep watch_step(const Model& model, Solver& solver, const State& before, const Input& input, double h) {
  TakenStep taken{before, input, before, before.positions, {}};
  solver.watch([&](const Points& iterate) { taken.minimum = iterate; });
  taken.report = take_step(model, solver, input, taken.after, h);
  solver.watch({});
  return taken;
}

ReferenceStep::ReferenceStep(const Model& model, const CommonStep& step, TakenStep taken, ContactForm form)
    : model_(model),
      taken_(std::move(taken)),
      objective_(
          incremental_potential(model, *taken_.input.controls, taken_.before, step.h, step.velocity_loss)) {
  if (form == ContactForm::pairs) taken_.minimum = taken_.after.positions;  // nothing is done afterwards
  contact_force_ = form == ContactForm::pairs ? force_of_pairs(model, taken_, step.h)
                                              : force_at_vertices(model, taken_, step.h);
  if (contact_force_.cols() > 0) contact_force_ = contact_force_.cwiseProduct(taken_.input.controls->free);
  measure();
}

double ReferenceStep::value(const Points& positions) const {
  const double value = objective_.value(positions);
  return contact_force_.cols() == 0 ? value : value + dot(contact_force_, positions - taken_.minimum);
}

const Points& ReferenceStep::gradient(const Points& positions) {
  objective_.gradient(positions, scratch_, gradient_);
  if (contact_force_.cols() > 0) gradient_ += contact_force_;
  return gradient_;
}

Scalars ReferenceStep::shares_of_gap(const Points& positions) {
  if (!is_known() || !energy_gap(positions)) return {};
  const double whole = record_.objective_start - record_.objective;
  const Points away = positions - taken_.minimum;
  return gradient(positions).cwiseProduct(away).colwise().sum().transpose() / (2 * whole);
}

void ReferenceStep::measure() {
  Points predicted = objective_.target();
  apply_pins(taken_.input, predicted);
  record_.objective_start = value(predicted);
  record_.residual_start = root_mean_square(gradient(predicted));

  record_.objective = value(taken_.minimum);
  rounding_ = rounding_of_objective();
  if (energy_gap(predicted)) record_.gap_rounding = rounding_ / (record_.objective_start - record_.objective);
  const StepReport& report = taken_.report;
  record_.contacts = report.contacts;
  record_.iterations = report.iterations;
  record_.residual = root_mean_square(gradient(taken_.minimum));
  record_.converged =
      report.status == Status::ok ||
      (report.status == Status::not_converged && record_.residual <= kConverged * record_.residual_start);
}

// The sum's rounding, and what it costs when every coordinate is off by its last bit.
double ReferenceStep::rounding_of_objective() {
  const double bit = std::numeric_limits<double>::epsilon() * taken_.minimum.cwiseAbs().maxCoeff();
  Points shaken = taken_.minimum;
  for (int v = 0; v < shaken.cols(); ++v)
    shaken.col(v) += (v % 2 ? bit : -bit) * objective_.controls().free.col(v);
  const double cost = std::abs(objective_.value(shaken) - objective_.value(taken_.minimum));
  return cost + kRounding * std::max(std::abs(record_.objective_start), std::abs(record_.objective));
}

std::optional<double> ReferenceStep::energy_gap(const Points& positions) const {
  const double whole = record_.objective_start - record_.objective;
  if (!(whole > kTold * rounding_)) return {};
  return (value(positions) - record_.objective) / whole;
}

StepError ReferenceStep::error(const Points& positions) {
  StepError error;
  error.position = position_error(positions, taken_.after.positions);
  if (!is_known()) return error;
  error.energy_gap = energy_gap(positions);
  error.residual = root_mean_square(gradient(positions));
  error.lost_gravity = lost_gravity(model_, objective_.controls(), gradient_);
  return error;
}

ContactForm contact_form(const Model& model, const SolverSettings& settings) {
  const bool meets = model.self_collision.enabled || !model.colliders.empty();
  return keeps_out(settings) && meets ? ContactForm::pairs : ContactForm::energy;
}

References::References(const Scene& scene, const CommonStep& step)
    : step_(step),
      vertices_(make_solver(reference_settings(scene, step))),
      pairs_(make_solver(pair_reference_settings(scene, step))) {}

ReferenceStep References::take(const Model& model, const State& before, const Input& input,
                               ContactForm form) {
  Solver& solver = form == ContactForm::pairs ? *pairs_ : *vertices_;
  return ReferenceStep(model, step_, watch_step(model, solver, before, input, step_.h), form);
}

}  // namespace muslin

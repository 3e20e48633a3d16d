#include "muslin/solver/objective.h"

#include "muslin/core/parallel.h"
#include "muslin/solver/step.h"

namespace muslin {

double Objective::inertia_and_contact(const Points& x) const {
  return parallel_sum(model_.vertex_count(), 0.0, [&](int v) {
    const Vec3 away = controls_.free.col(v).cwiseProduct(x.col(v) - target_.col(v));
    return 0.5 * inertia(v) * away.squaredNorm() + (contact_ ? contact_->value(v, x.col(v)) : 0);
  });
}

void Objective::start_gradient(const Points& x, Points& gradient) const {
  gradient.resize(3, model_.vertex_count());
  parallel_for(model_.vertex_count(), [&](int v) {
    gradient.col(v) = inertia(v) * (x.col(v) - target_.col(v));
    if (contact_) gradient.col(v) += contact_->gradient(v, x.col(v));
  });
}

namespace {
// Nothing pulls on what is held.
void release_held(const Points& free, Points& gradient) {
  parallel_for(static_cast<int>(free.cols()),
               [&](int v) { gradient.col(v) = gradient.col(v).cwiseProduct(free.col(v)); });
}
}  // namespace

double Objective::value(const Points& x) const {
  return inertia_and_contact(x) + elastic_energy(energies_, x);
}

void Objective::gradient(const Points& x, Scratch& scratch, Points& gradient) const {
  start_gradient(x, gradient);
  add_elastic_gradient(energies_, x, scratch, gradient);
  release_held(controls_.free, gradient);
}

double Objective::value_and_gradient(const Points& x, Scratch& scratch, Points& gradient) const {
  start_gradient(x, gradient);
  const double elastic = add_elastic_value_and_gradient(energies_, x, scratch, gradient);
  release_held(controls_.free, gradient);
  return inertia_and_contact(x) + elastic;
}

Objective incremental_potential(const Model& model, const Controls& controls, const State& state, double h,
                                double velocity_loss) {
  Points target = predictor(model, controls, state, h, velocity_loss);
  auto made = std::make_shared<Energies>();
  if (&energies_of_step(model, controls, state.positions, h, *made) == &model.energies)
    return Objective(model, controls, model.energies, std::move(target), h);
  return Objective(model, controls, std::shared_ptr<const Energies>(made), std::move(target), h);
}

const Energies& energies_of_step(const Model& model, const Controls& controls, const Points& before, double h,
                                 Energies& kept) {
  const bool pulls = controls.pulls.size() > 0, damps = is_damped(model.energies);
  if (!pulls && !damps) return model.energies;
  damp(model.energies, before, h, kept);
  damp(controls.pulls, before, h, kept.pulls);
  return kept;
}

double root_mean_square(const Points& gradient) {
  return gradient.norm() / std::sqrt(static_cast<double>(gradient.cols()));
}

std::optional<double> lost_gravity(const Model& model, const Controls& controls, const Points& gradient) {
  const double g = controls.gravity.norm();
  if (g == 0) return {};
  const Vec3 down = controls.gravity / g;
  const Vec3 free_mass = controls.free * model.mass;
  const double weight = g * free_mass.dot(down.cwiseAbs2());
  if (!(weight > 0)) return {};
  return -gradient.rowwise().sum().dot(down) / weight;
}

}  // namespace muslin

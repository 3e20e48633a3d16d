#include "muslin/solver/objective.h"

#include "muslin/core/parallel.h"
#include "muslin/model/forces.h"

namespace muslin {

double Objective::inertia_and_contact(const Points& x) const {
  return parallel_sum(model_.vertex_count(), 0.0, [&](int v) {
    const Vec3 away = model_.free.col(v).cwiseProduct(x.col(v) - target_.col(v));
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
void release_held(const Model& model, Points& gradient) {
  parallel_for(model.vertex_count(),
               [&](int v) { gradient.col(v) = gradient.col(v).cwiseProduct(model.free.col(v)); });
}
}  // namespace

double Objective::value(const Points& x) const {
  return inertia_and_contact(x) + elastic_energy(energies_, x);
}

void Objective::gradient(const Points& x, Scratch& scratch, Points& gradient) const {
  start_gradient(x, gradient);
  add_elastic_gradient(energies_, x, scratch, gradient);
  release_held(model_, gradient);
}

double Objective::value_and_gradient(const Points& x, Scratch& scratch, Points& gradient) const {
  start_gradient(x, gradient);
  const double elastic = add_elastic_value_and_gradient(energies_, x, scratch, gradient);
  release_held(model_, gradient);
  return inertia_and_contact(x) + elastic;
}

Objective incremental_potential(const Model& model, const State& state, double h, double velocity_loss) {
  const Points velocities = (1 - velocity_loss) * std::exp(-model.damping * h) * state.velocities;
  Points target = state.positions + h * velocities + h * h * external_acceleration(model, state, h);
  if (!is_damped(model.energies)) return Objective(model, model.energies, std::move(target), h);
  return Objective(model, std::make_shared<const Energies>(damped(model.energies, state.positions, h)),
                   std::move(target), h);
}

double root_mean_square(const Points& gradient) {
  return gradient.norm() / std::sqrt(static_cast<double>(gradient.cols()));
}

std::optional<double> lost_gravity(const Model& model, const Points& gradient) {
  const double g = model.gravity.norm();
  if (g == 0) return {};
  const Vec3 down = model.gravity / g;
  const Vec3 free_mass = model.free * model.mass;
  const double weight = g * free_mass.dot(down.cwiseAbs2());
  if (!(weight > 0)) return {};
  return -gradient.rowwise().sum().dot(down) / weight;
}

}  // namespace muslin

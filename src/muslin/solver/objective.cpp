#include "muslin/solver/objective.h"

#include "muslin/core/parallel.h"

namespace muslin {

double Objective::value(const Points& x) const {
  const double inertia = parallel_sum(model_.vertex_count(), 0.0, [&](int v) {
    const Vec3 away = model_.free.col(v).cwiseProduct(x.col(v) - target_.col(v));
    return 0.5 * model_.mass[v] * inverse_h2_ * away.squaredNorm();
  });
  return inertia + elastic_energy(model_.energies, x);
}

void Objective::gradient(const Points& x, Scratch& scratch, Points& gradient) const {
  gradient.resize(3, model_.vertex_count());
  parallel_for(model_.vertex_count(),
               [&](int v) { gradient.col(v) = model_.mass[v] * inverse_h2_ * (x.col(v) - target_.col(v)); });
  add_elastic_gradient(model_.energies, x, scratch, gradient);
  gradient = gradient.cwiseProduct(model_.free).eval();
}

}  // namespace muslin

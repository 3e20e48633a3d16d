#include "muslin/model/measure.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/parallel.h"
#include "muslin/model/forces.h"

namespace muslin {

Strain edge_strain(const Model& model, const Points& positions) {
  const int count = static_cast<int>(model.edges.size());
  if (count == 0) return {};
  std::vector<double> strain(count);
  parallel_for(count, [&](int e) {
    const auto [a, b] = model.edges[e];
    strain[e] = (positions.col(b) - positions.col(a)).norm() / model.edge_length[e] - 1;
  });
  Strain result;
  for (const double s : strain) result.mean += std::abs(s) / count;
  if (!std::isfinite(result.mean)) return {result.mean, result.mean, result.mean};  // nothing can be sorted
  const auto rank = strain.begin() + (99 * static_cast<long long>(count) + 99) / 100 - 1;
  std::nth_element(strain.begin(), rank, strain.end());
  result.p99 = *rank;
  result.max = *std::max_element(rank, strain.end());
  return result;
}

double stretch_change(const Model& model, const Points& before, const Points& after) {
  double largest = 0;
  for (size_t e = 0; e < model.edges.size(); ++e) {
    const auto [a, b] = model.edges[e];
    const double change = (after.col(b) - after.col(a)).norm() - (before.col(b) - before.col(a)).norm();
    if (!(std::abs(change) <= largest * model.edge_length[e]))
      largest = std::abs(change) / model.edge_length[e];
  }
  return largest;
}

double kinetic_energy(const Model& model, const Points& velocities) {
  return parallel_sum(model.vertex_count(), 0.0,
                      [&](int v) { return 0.5 * model.mass[v] * velocities.col(v).squaredNorm(); });
}

double potential_energy(const Model& model, const Points& positions) {
  return parallel_sum(model.vertex_count(), 0.0,
                      [&](int v) { return -model.mass[v] * model.gravity.dot(positions.col(v)); });
}

Vec3 center_of_mass(const Model& model, const Points& positions) {
  return parallel_sum(model.vertex_count(), Vec3(Vec3::Zero()),
                      [&](int v) { return Vec3(model.mass[v] * positions.col(v)); }) /
         model.mass.sum();
}

bool falls_freely(const Model& model) { return model.pins.empty() && !blows(model.wind); }

Vec3 free_fall(const Model& model, double time) {
  const Vec3 start = center_of_mass(model, model.start),
             velocity = center_of_mass(model, model.start_velocity);
  const double c = model.damping;
  if (c * time < 1e-8) return start + velocity * time + model.gravity * (time * time / 2);
  const double reach = -std::expm1(-c * time) / c;  // ∫ e^{−ct} dt
  return start + velocity * reach + model.gravity * ((time - reach) / c);
}

}  // namespace muslin

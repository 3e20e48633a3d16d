#include "muslin/model/measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "muslin/core/maths.h"
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
  for (const double s : strain) result.mean += std::abs(s);
  result.mean /= count;
  if (!std::isfinite(result.mean)) return {result.mean, result.mean, result.mean};  // nothing can be sorted
  const auto rank = strain.begin() + (99 * static_cast<long long>(count) + 99) / 100 - 1;
  std::nth_element(strain.begin(), rank, strain.end());
  result.p99 = *rank;
  result.max = *std::max_element(rank, strain.end());
  return result;
}

std::optional<double> limit_ratio(const Model& model, const Points& positions) {
  const BaraffWitkinEnergy& energy = model.energies.baraff_witkin;
  std::optional<double> largest;
  for (int e = 0; e < energy.size(); ++e)
    if (std::isfinite(energy[e].shape.limit.strain))
      largest = std::max(largest.value_or(0), energy[e].limit_ratio(gather(positions, energy.vertices(e))));
  return largest;
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

double potential_energy(const Model& model, const Vec3& gravity, const Points& positions) {
  return parallel_sum(model.vertex_count(), 0.0,
                      [&](int v) { return -model.mass[v] * gravity.dot(positions.col(v)); });
}

Vec3 center_of_mass(const Model& model, const Points& positions) {
  return parallel_sum(model.vertex_count(), Vec3(Vec3::Zero()),
                      [&](int v) { return Vec3(model.mass[v] * positions.col(v)); }) /
         model.mass.sum();
}

namespace {

// √ of the larger eigenvalue of FᵀF, less one.
double principal_strain_of(const RestTriangle& triangle, const Local<3>& x) {
  const auto [u, v] = deformation_gradient(triangle, x);
  const double mean = (u.squaredNorm() + v.squaredNorm()) / 2;
  const double deviator = maths::hypot((u.squaredNorm() - v.squaredNorm()) / 2, u.dot(v));
  return std::sqrt(mean + deviator) - 1;
}

// Over how many places of its stencil an element's value is spread: one from outside has as many as vertices,
// and repeats the first of them behind.
template <Energy E>
int places_of(const E& energy, int e, int slots) {
  if constexpr (requires { energy[e].shape.size; })
    return energy[e].shape.size;
  else
    return slots;
}

// Σ value / slots over the elements at a vertex that lie in the first `slots` places of their stencil.
template <Energy E, class Counts>
double energy_at(const E& energy, const Points& x, int v, int slots, const Counts& counts) {
  double sum = 0;
  if (energy.size() == 0) return sum;
  const Incidence& rows = energy.elements().incidence;
  for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r)
    if (const int e = rows.item[r], places = places_of(energy, e, slots); rows.slot[r] < places && counts(e))
      sum += energy[e].value(gather(x, energy.vertices(e))) / places;
  return sum;
}

// Calls visit(t) for the triangles at a vertex.
template <class Visit>
void for_each_triangle(const Model& model, int v, const Visit& visit) {
  const Incidence& rows = model.triangle_incidence;
  for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r) visit(rows.item[r]);
}

}  // namespace

double mean_edge(const Model& model) {
  return std::accumulate(model.edge_length.begin(), model.edge_length.end(), 0.0) /
         static_cast<double>(model.edge_length.size());
}

Scalars mean_edge_about_vertices(const Model& model) {
  Scalars sum = Scalars::Zero(model.vertex_count()), count = sum;
  for (size_t e = 0; e < model.edges.size(); ++e)
    for (const int v : model.edges[e]) {
      sum[v] += model.edge_length[e];
      ++count[v];
    }
  return sum.array() / count.array().max(1);
}

Scalars principal_strain(const Model& model, const Points& positions) {
  const int triangles = static_cast<int>(model.triangles.size());
  Scalars of_triangle(triangles), strain(model.vertex_count());
  parallel_for(triangles, [&](int t) {
    of_triangle[t] = principal_strain_of(model.rest_triangles[t], gather(positions, model.triangles[t]));
  });
  parallel_for(model.vertex_count(), [&](int v) {
    double sum = 0, area = 0;
    for_each_triangle(model, v, [&](int t) {
      sum += model.rest_triangles[t].area * of_triangle[t];
      area += model.rest_triangles[t].area;
    });
    strain[v] = area > 0 ? sum / area : 0;
  });
  return strain;
}

Scalars speed(const Points& velocities) { return velocities.colwise().norm(); }

Scalars bending_density(const Model& model, const Points& positions) {
  const Energies& energies = model.energies;
  const auto all = [](int) { return true; };
  const auto bends = [&](int s) { return energies.springs[s].shape.kind == SpringClass::bend; };
  Scalars density(model.vertex_count());
  parallel_for(model.vertex_count(), [&](int v) {
    const double energy = energy_at(energies.bending, positions, v, 3, all) +
                          energy_at(energies.dihedral, positions, v, 3, all) +
                          energy_at(energies.springs, positions, v, 2, bends);
    double area = 0;
    for_each_triangle(model, v, [&](int t) { area += model.rest_triangles[t].area / 3; });
    density[v] = area > 0 ? energy / area : 0;
  });
  return density;
}

Scalars elastic_density(const Model& model, const Points& positions) {
  Scalars density(model.vertex_count());
  parallel_for(model.vertex_count(), [&](int v) {
    double sum = 0, area = 0;
    model.energies.each([&]<Energy E>(const E& energy) {
      constexpr int kVertices = std::tuple_size_v<std::decay_t<decltype(energy.vertices(0))>>;
      sum += energy_at(energy, positions, v, std::min(kVertices, 3), [](int) { return true; });
    });
    for_each_triangle(model, v, [&](int t) { area += model.rest_triangles[t].area / 3; });
    density[v] = area > 0 ? sum / area : 0;
  });
  return density;
}

bool falls_freely(const Controls& controls) {
  return controls.pins.empty() && controls.pulls.size() == 0 && controls.force.cols() == 0 &&
         !blows(controls.wind);
}

Vec3 free_fall(const Model& model, const Vec3& gravity, double time) {
  const Vec3 start = center_of_mass(model, model.start),
             velocity = center_of_mass(model, model.start_velocity);
  const double c = model.damping;
  if (c * time < 1e-8) return start + velocity * time + gravity * (time * time / 2);
  const double reach = -maths::expm1(-c * time) / c;  // ∫ e^{−ct} dt
  return start + velocity * reach + gravity * ((time - reach) / c);
}

}  // namespace muslin

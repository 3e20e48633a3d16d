#include "muslin/energy/energies.h"

#include "muslin/energy/hinge_loops.h"

namespace muslin {

double elastic_energy(const Energies& energies, const Points& x) {
  double sum = 0;
  energies.each([&](const auto& energy) { sum += total_value(energy, x); });
  return sum;
}

void add_elastic_gradient(const Energies& energies, const Points& x, Scratch& scratch, Points& gradient) {
  energies.each([&](const auto& energy) { add_gradient(energy, x, scratch, gradient); });
}

double add_elastic_value_and_gradient(const Energies& energies, const Points& x, Scratch& scratch,
                                      Points& gradient) {
  double sum = 0;
  energies.each([&](const auto& energy) { sum += add_value_and_gradient(energy, x, scratch, gradient); });
  return sum;
}

namespace {

// Σ weight(damping) × row sums of the majorants.
template <class Weight>
Scalars row_sums(const Energies& energies, int vertex_count, const Weight& weight) {
  Scalars bound = Scalars::Zero(vertex_count);
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e) {
      const auto majorant = energy[e].majorant();
      for (int k = 0; k < majorant.rows(); ++k)
        bound[energy.vertices(e)[k]] +=
            weight(energy.elements().damping[e]) * majorant.row(k).cwiseAbs().sum();
    }
  });
  return bound;
}

}  // namespace

double greatest_stiffness(const Energies& energies) {
  double greatest = 0;
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e)
      greatest = std::max(greatest, energy[e].majorant().diagonal().maxCoeff());
  });
  return greatest;
}

Scalars stiffness_bound(const Energies& energies, int vertex_count) {
  return row_sums(energies, vertex_count, [](double) { return 1.0; });
}

Scalars viscosity_bound(const Energies& energies, int vertex_count) {
  return row_sums(energies, vertex_count, [](double damping) { return damping; });
}

bool is_damped(const Energies& energies) {
  bool damped = false;
  energies.each([&](const auto& energy) { damped = damped || is_damped(energy); });
  return damped;
}

void damp(const Energies& elastic, const Points& end, const Points& way, double h, Energies& damped) {
  Energies::each_pair(elastic, damped, [&](const auto& from, auto& to) { damp(from, end, way, h, to); });
}

void damp(const Energies& elastic, const Points& before, double h, Energies& damped) {
  Energies::each_pair(elastic, damped, [&](const auto& from, auto& to) { damp(from, before, h, to); });
}

}  // namespace muslin

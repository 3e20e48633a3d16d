#include "muslin/energy/energies.h"

namespace muslin {

double elastic_energy(const Energies& energies, const Points& x) {
  double sum = 0;
  energies.each([&](const auto& energy) { sum += total_value(energy, x); });
  return sum;
}

void add_elastic_gradient(const Energies& energies, const Points& x, Scratch& scratch, Points& gradient) {
  energies.each([&](const auto& energy) { add_gradient(energy, x, scratch, gradient); });
}

Scalars stiffness_bound(const Energies& energies, int vertex_count) {
  Scalars bound = Scalars::Zero(vertex_count);
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e) {
      const auto majorant = energy.majorant(e);
      for (int k = 0; k < majorant.rows(); ++k)
        bound[energy.vertices[e][k]] += majorant.row(k).cwiseAbs().sum();
    }
  });
  return bound;
}

double greatest_stiffness(const Energies& energies) {
  double greatest = 0;
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e)
      greatest = std::max(greatest, energy.majorant(e).diagonal().maxCoeff());
  });
  return greatest;
}

bool is_damped(const Energies& energies) {
  bool damped = false;
  energies.each([&](const auto& energy) {
    for (const double damping : energy.damping) damped = damped || damping > 0;
  });
  return damped;
}

Energies damped(const Energies& energies, const Points& before, double h) {
  Energies result = energies;
  result.each([&](auto& energy) { energy.damp(before, h); });
  return result;
}

}  // namespace muslin

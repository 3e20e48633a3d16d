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
  const SpringEnergy& springs = energies.springs;
  for (int s = 0; s < springs.size(); ++s)
    for (const int v : springs.vertices[s]) bound[v] += 2 * springs.stiffness[s];
  const BendingEnergy& bending = energies.bending;
  for (int e = 0; e < bending.size(); ++e)
    for (int k = 0; k < 4; ++k)
      bound[bending.vertices[e][k]] +=
          bending.stiffness[e] * std::abs(bending.weights[e][k]) * bending.weights[e].lpNorm<1>();
  return bound;
}

}  // namespace muslin

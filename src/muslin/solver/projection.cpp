#include "muslin/solver/projection.h"

#include <algorithm>

namespace muslin {

Shares spring_shares(const Model& model, const Stencil<2>& spring, Split split) {
  if (split == Split::half) return {0.5 * model.free.col(spring[0]), 0.5 * model.free.col(spring[1])};
  const Vec3 w0 = model.inverse_mass.col(spring[0]), w1 = model.inverse_mass.col(spring[1]);
  const Vec3 sum = (w0 + w1).cwiseMax(std::numeric_limits<double>::min());  // both held: no share for either
  return {w0.cwiseQuotient(sum), w1.cwiseQuotient(sum)};
}

void sweep_lengths(const Model& model, LengthBounds bounds, Split split, Points& positions) {
  const SpringEnergy& springs = model.energies.springs;
  for (int s = 0; s < springs.size(); ++s) {
    const auto [a, b] = springs.vertices[s];
    const Vec3 d = positions.col(b) - positions.col(a);
    const double length = d.norm(), rest = springs.rest_length[s];
    const double wanted = std::clamp(length, bounds.shortest * rest, bounds.longest * rest);
    if (length == 0 || wanted == length) continue;
    const Vec3 correction = (1 - wanted / length) * d;
    const Shares share = spring_shares(model, springs.vertices[s], split);
    positions.col(a) += share.first.cwiseProduct(correction);
    positions.col(b) -= share.second.cwiseProduct(correction);
  }
}

}  // namespace muslin

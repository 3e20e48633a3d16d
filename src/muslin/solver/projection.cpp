#include "muslin/solver/projection.h"

#include <algorithm>

namespace muslin {

SpringWeights spring_weights(const Controls& controls, const Stencil<2>& spring, Split split) {
  if (split == Split::half) return {0.5 * controls.free.col(spring[0]), 0.5 * controls.free.col(spring[1])};
  const Vec3 w0 = controls.inverse_mass.col(spring[0]), w1 = controls.inverse_mass.col(spring[1]);
  const Vec3 sum = (w0 + w1).cwiseMax(std::numeric_limits<double>::min());  // both held: neither moves
  return {w0.cwiseQuotient(sum), w1.cwiseQuotient(sum)};
}

void project_length(const Model& model, const Controls& controls, int spring, LengthBounds bounds,
                    Split split, Points& positions) {
  const Stencil<2>& ends = model.energies.springs.vertices(spring);
  const Vec3 d = positions.col(ends[1]) - positions.col(ends[0]);
  const double length = d.norm(), rest = model.energies.springs.rest[spring];
  const double wanted = std::clamp(length, bounds.shortest * rest, bounds.longest * rest);
  if (length == 0 || wanted == length) return;
  const Vec3 correction = (1 - wanted / length) * d;
  const SpringWeights weights = spring_weights(controls, ends, split);
  positions.col(ends[0]) += weights.first.cwiseProduct(correction);
  positions.col(ends[1]) -= weights.second.cwiseProduct(correction);
}

void sweep_lengths(const Model& model, const Controls& controls, LengthBounds bounds, Split split,
                   Points& positions) {
  for (int s = 0; s < model.energies.springs.size(); ++s)
    project_length(model, controls, s, bounds, split, positions);
}

}  // namespace muslin

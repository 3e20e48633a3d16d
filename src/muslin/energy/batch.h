#pragma once
#include <vector>

#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

// The loops over all elements of one energy: parallel, without atomics, the same bits for any thread count.

namespace muslin {

/// Reused memory of gradient loops: the contribution of every element to every vertex of its stencil.
using Scratch = std::vector<Vec3>;

/// Σ E [J]
template <Energy E>
double total_value(const E& energy, const Points& x) {
  return parallel_sum(energy.size(), 0.0,
                      [&](int e) { return energy.value(e, gather(x, energy.vertices[e])); });
}

/// gradient += ∂(Σ E)/∂x: elements write their own slots, then every vertex adds up its slots in order.
template <Energy E>
void add_gradient(const E& energy, const Points& x, Scratch& scratch, Points& gradient) {
  constexpr int n = E::kSize;
  if (scratch.size() < static_cast<size_t>(n * energy.size())) scratch.resize(n * energy.size());
  parallel_for(energy.size(), [&](int e) {
    const Local<n> local = energy.gradient(e, gather(x, energy.vertices[e]));
    for (int k = 0; k < n; ++k) scratch[n * e + k] = local.col(k);
  });
  if (energy.size() == 0) return;
  const Incidence& rows = energy.incidence;
  parallel_for(static_cast<int>(x.cols()), [&](int v) {
    for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r)
      gradient.col(v) += scratch[n * rows.item[r] + rows.slot[r]];
  });
}

}  // namespace muslin

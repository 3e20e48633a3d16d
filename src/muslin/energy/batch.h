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

namespace detail {

/// The gradient of an element at `local`, into the element's own slots.
template <Energy E>
void put_gradient(const E& energy, int e, const Local<E::kSize>& local, Scratch& scratch) {
  const Local<E::kSize> gradient = energy.gradient(e, local);
  for (int k = 0; k < E::kSize; ++k) scratch[E::kSize * e + k] = gradient.col(k);
}

/// Every vertex adds up its slots in order.
template <Energy E>
void add_slots(const E& energy, const Scratch& scratch, Points& gradient) {
  constexpr int n = E::kSize;
  if (energy.size() == 0) return;
  const Incidence& rows = energy.incidence;
  parallel_for(static_cast<int>(gradient.cols()), [&](int v) {
    for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r)
      gradient.col(v) += scratch[n * rows.item[r] + rows.slot[r]];
  });
}

}  // namespace detail

/// gradient += ∂(Σ E)/∂x
template <Energy E>
void add_gradient(const E& energy, const Points& x, Scratch& scratch, Points& gradient) {
  scratch.resize(std::max<size_t>(scratch.size(), E::kSize * energy.size()));
  parallel_for(energy.size(),
               [&](int e) { detail::put_gradient(energy, e, gather(x, energy.vertices[e]), scratch); });
  detail::add_slots(energy, scratch, gradient);
}

/// The same, and Σ E [J], in one pass.
template <Energy E>
double add_value_and_gradient(const E& energy, const Points& x, Scratch& scratch, Points& gradient) {
  scratch.resize(std::max<size_t>(scratch.size(), E::kSize * energy.size()));
  const double value = parallel_sum(energy.size(), 0.0, [&](int e) {
    const Local<E::kSize> local = gather(x, energy.vertices[e]);
    detail::put_gradient(energy, e, local, scratch);
    return energy.value(e, local);
  });
  detail::add_slots(energy, scratch, gradient);
  return value;
}

}  // namespace muslin

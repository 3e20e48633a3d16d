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
                      [&](int e) { return energy[e].value(gather(x, energy.vertices(e))); });
}

namespace detail {

/// The gradient of an element into its own slots.
template <Energy E>
void put_gradient(int e, const Local<E::kSize>& gradient, Scratch& scratch) {
  for (int k = 0; k < E::kSize; ++k) scratch[E::kSize * e + k] = gradient.col(k);
}

/// E [J] and ∂E/∂x [N] of an element, by whatever it has for both.
template <class K>
double value_and_gradient(const K& element, const Local<K::kSize>& x, Local<K::kSize>& gradient) {
  if constexpr (requires { element.value_and_gradient(x, gradient); }) {
    return element.value_and_gradient(x, gradient);
  } else {
    gradient = element.gradient(x);
    return element.value(x);
  }
}

/// Every vertex adds up its slots in order.
template <Energy E>
void add_slots(const E& energy, const Scratch& scratch, Points& gradient) {
  constexpr int n = E::kSize;
  if (energy.size() == 0) return;
  const Incidence& rows = energy.elements().incidence;
  parallel_for(static_cast<int>(gradient.cols()), [&](int v) {
    Vec3 sum = gradient.col(v);  // not in memory: docs/decisions, small blocks
    for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r) sum += scratch[n * rows.item[r] + rows.slot[r]];
    gradient.col(v) = sum;
  });
}

}  // namespace detail

/// Whether any element has material damping.
template <Energy E>
bool is_damped(const E& energy) {
  const Eigen::Map<const Scalars> damping(energy.elements().damping.data(), energy.size());
  return energy.size() > 0 && damping.maxCoeff() > 0;
}

/// gradient += ∂(Σ E)/∂x
template <Energy E>
void add_gradient(const E& energy, const Points& x, Scratch& scratch, Points& gradient) {
  scratch.resize(std::max<size_t>(scratch.size(), E::kSize * energy.size()));
  parallel_for(energy.size(), [&](int e) {
    detail::put_gradient<E>(e, energy[e].gradient(gather(x, energy.vertices(e))), scratch);
  });
  detail::add_slots(energy, scratch, gradient);
}

/// The same, and Σ E [J], in one pass.
template <Energy E>
double add_value_and_gradient(const E& energy, const Points& x, Scratch& scratch, Points& gradient) {
  scratch.resize(std::max<size_t>(scratch.size(), E::kSize * energy.size()));
  const double value = parallel_sum(energy.size(), 0.0, [&](int e) {
    Local<E::kSize> slope;
    const double own = detail::value_and_gradient(energy[e], gather(x, energy.vertices(e)), slope);
    detail::put_gradient<E>(e, slope, scratch);
    return own;
  });
  detail::add_slots(energy, scratch, gradient);
  return value;
}

/// Makes `damped` the energy of a step of h seconds with the material's damping (energies.h), where element e
/// measures start(e) at its beginning. What damping does not change is shared with `elastic`; memory of an
/// earlier step is reused.
template <Energy E, class Start>
void damp_from(const E& elastic, double h, E& damped, const Start& start) {
  damped.share(elastic);
  if (!is_damped(elastic)) {
    damped.stiffness = elastic.stiffness;
    damped.rest = elastic.rest;
    return;
  }
  using Rest = typename E::Rest;
  damped.stiffness.resize(elastic.size());
  damped.rest.resize(elastic.size());
  parallel_for(elastic.size(), [&](int e) {
    const double damping = elastic.elements().damping[e];
    Rest& rest = damped.rest[e];
    if constexpr (rests_at_zero<typename E::Element>())
      rest = elastic.rest.empty() ? Rest(Rest::Zero()) : elastic.rest[e];
    else
      rest = elastic.rest[e];
    rest += damping_shift(damping, h) * (start(e) - rest);
    damped.stiffness[e] = elastic.stiffness[e] * (1 + damping / h);
  });
}

/// The same of a step that begins at `before`.
template <Energy E>
void damp(const E& elastic, const Points& before, double h, E& damped) {
  damp_from(elastic, h, damped, [&](int e) -> typename E::Rest {
    return elastic[e].measure(gather(before, elastic.vertices(e)));
  });
}

/// The same of a step that ends about `end`, where it moves by `way`: so that to second order the rate is
/// that at its end, C is taken to begin at C(end) − dC, with dC of a central difference.
template <Energy E>
void damp(const E& elastic, const Points& end, const Points& way, double h, E& damped) {
  damp_from(elastic, h, damped, [&](int e) -> typename E::Rest {
    const auto x = gather(end, elastic.vertices(e)), half = (0.5 * gather(way, elastic.vertices(e))).eval();
    return elastic[e].measure(x) - (elastic[e].measure(x + half) - elastic[e].measure(x - half));
  });
}

}  // namespace muslin

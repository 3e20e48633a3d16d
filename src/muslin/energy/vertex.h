#pragma once
#include "muslin/energy/energies.h"

// What the elements about one vertex say to it alone: for solvers that move a vertex at a time.

namespace muslin {

/// An element that knows one vertex's terms cheaper than all of them: adds the column `slot` of
/// gradient [N] and the diagonal block of hessian_psd [N/m].
template <class K>
concept HasVertexTerms = requires(const K& element, int slot, const Local<K::kSize>& x, Vec3& gradient,
                                  Mat3& block) {
  element.add_vertex_terms(slot, x, gradient, block);
};

/// gradient += ∂(Σ E)/∂xᵥ [N], block += the vertex's diagonal block of Σ hessian_psd [N/m].
template <Energy E>
void add_vertex_terms(const E& energy, const Points& x, int v, Vec3& gradient, Mat3& block) {
  if (energy.size() == 0) return;
  const Incidence& rows = energy.elements().incidence;
  for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r) {
    const int e = rows.item[r], slot = rows.slot[r];
    const Local<E::kSize> local = gather(x, energy.vertices(e));
    if constexpr (HasVertexTerms<typename E::Element>) {
      energy[e].add_vertex_terms(slot, local, gradient, block);
    } else {
      gradient += energy[e].gradient(local).col(slot);
      block += energy[e].hessian_psd(local).template block<3, 3>(3 * slot, 3 * slot);
    }
  }
}

/// Calls visit(other) for every vertex of every element about v: v itself too, and some more than once.
template <class Visit>
void for_each_neighbour(const Energies& energies, int v, const Visit& visit) {
  energies.each([&](const auto& energy) {
    if (energy.size() == 0) return;
    const Incidence& rows = energy.elements().incidence;
    for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r)
      for (const int other : energy.vertices(rows.item[r])) visit(other);
  });
}

}  // namespace muslin

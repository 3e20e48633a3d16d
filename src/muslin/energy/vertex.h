#pragma once
#include "muslin/energy/energies.h"

// What the elements about one vertex say to it alone: for solvers that move a vertex at a time.

namespace muslin {

/// An energy that knows one vertex's terms cheaper than all of an element's: adds the column `slot` of
/// gradient [N] and the diagonal block of hessian_psd [N/m].
template <class E>
concept HasVertexTerms = requires(const E& energy, int element, int slot, const Local<E::kSize>& x,
                                  Vec3& gradient, Mat3& block) {
  energy.add_vertex_terms(element, slot, x, gradient, block);
};

/// gradient += ∂(Σ E)/∂xᵥ [N], block += the vertex's diagonal block of Σ hessian_psd [N/m].
template <Energy E>
void add_vertex_terms(const E& energy, const Points& x, int v, Vec3& gradient, Mat3& block) {
  if (energy.size() == 0) return;
  const Incidence& rows = energy.incidence;
  for (int r = rows.begin[v]; r < rows.begin[v + 1]; ++r) {
    const int e = rows.item[r], slot = rows.slot[r];
    const Local<E::kSize> local = gather(x, energy.vertices[e]);
    if constexpr (HasVertexTerms<E>) {
      energy.add_vertex_terms(e, slot, local, gradient, block);
    } else {
      gradient += energy.gradient(e, local).col(slot);
      block += energy.hessian_psd(e, local).template block<3, 3>(3 * slot, 3 * slot);
    }
  }
}

/// Calls visit(other) for every vertex of every element about v: v itself too, and some more than once.
template <class Visit>
void for_each_neighbour(const Energies& energies, int v, const Visit& visit) {
  energies.each([&](const auto& energy) {
    if (energy.size() == 0) return;
    for (int r = energy.incidence.begin[v]; r < energy.incidence.begin[v + 1]; ++r)
      for (const int other : energy.vertices[energy.incidence.item[r]]) visit(other);
  });
}

}  // namespace muslin

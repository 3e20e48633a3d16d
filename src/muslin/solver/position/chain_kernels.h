#pragma once
#include "muslin/solver/position/lane_vector.h"

// As lane_vector.h: one file for every instruction set.

namespace muslin {

/// One linearised XPBD solve of all lengths of a chain at once. With n_k the unit vector from vertex k+1 to
/// k, the multipliers of C_k = |x_k − x_{k+1}| − rest obey a tridiagonal system [Macklin 2016, eq. 16],
///
///   (w_k + w_{k+1} + α̃) λ_k − w_k (n_k·n_{k−1}) λ_{k−1} − w_{k+1} (n_{k+1}·n_k) λ_{k+1} = C_k
///
/// which elimination from the first edge solves; then x_k −= w_k (n_k λ_k − n_{k−1} λ_{k−1}).
///
/// Chains tell of edge k, from vertex k to k + 1, and of the vertices, in lanes (GridChains, MeshChains).
/// One-sided ones act where an edge is longer than `rest` allows, and not at all elsewhere.
template <class F, bool kDamped, class Chains>
void solve_chains(const Chains& chains, float* scratch) {
  // Where held ends leave a stiff chain no freedom, its system is nearly singular: pivots are kept above
  // this fraction of the diagonal, a hundred times the rounding of floats.
  const F least_pivot = F::all(1e-5f), one = F::all(1);
  using V = Vector<F>;

  // 1. Elimination: λ_k = g_k + q_{k+1} λ_{k+1}
  V place = chains.place(0), start = V::zero(), normal = V::zero();
  if constexpr (kDamped) start = chains.start(0);
  F w = chains.inverse_mass(0), u = F::all(0), g = F::all(0);
  float* kept = scratch;
  for (int k = 0; k < chains.edges; ++k, kept += kChainScratch * F::kCount) {
    const V next_place = chains.place(k + 1), d = place - next_place;
    const F squared = dot(d, d), length = root(squared);
    F inverse = where_positive(squared, one / length), wanted = chains.rest(k);
    if constexpr (kDamped) {
      const V next_start = chains.start(k + 1), before = start - next_start;
      wanted = wanted + chains.shift(k) * (root(dot(before, before)) - wanted);
      start = next_start;
    }
    F c = length - wanted;
    if constexpr (Chains::kOneSided) {
      inverse = where_positive(c, inverse);
      c = where_positive(c, c);
    }
    if constexpr (Chains::kMasked) {
      const F acts = chains.acts(k);
      inverse = inverse * acts;
      c = c * acts;
    }
    const V n = inverse * d;
    const F next_w = chains.inverse_mass(k + 1);
    const F a = w * dot(n, normal), q = a * u, full = w + next_w + chains.compliance(k);
    u = one / max(full - a * q, least_pivot * full);
    g = u * (c + a * g);
    n.x.store(kept);
    n.y.store(kept + F::kCount);
    n.z.store(kept + 2 * F::kCount);
    g.store(kept + 3 * F::kCount);
    q.store(kept + 4 * F::kCount);
    place = next_place;
    normal = n;
    w = next_w;
  }

  // 2. Back substitution; vertices move as soon as both edges at them are known
  V pull = V::zero();  // n λ of the edge behind
  F multiplier = F::all(0), q = F::all(0);
  for (int k = chains.edges - 1; k >= 0; --k) {
    kept -= kChainScratch * F::kCount;
    multiplier = F::load(kept + 3 * F::kCount) + q * multiplier;
    q = F::load(kept + 4 * F::kCount);
    const V n{F::load(kept), F::load(kept + F::kCount), F::load(kept + 2 * F::kCount)};
    const V own = multiplier * n;
    chains.move(k + 1, chains.inverse_mass(k + 1) * (own - pull));
    pull = own;
  }
  chains.move(0, chains.inverse_mass(0) * (V::zero() - pull));
}

/// Chains of a grid.
template <class F, bool masked, bool one_sided = false>
struct GridChains {
  using V = Vector<F>;
  static constexpr bool kMasked = masked, kOneSided = one_sided;

  const ChainJob& job;
  const int edges = job.vertices - 1;
  const F rest_ = F::all(job.rest), shift_ = F::all(job.shift), compliance_ = F::load(job.compliance);

  std::ptrdiff_t at(int k) const { return job.first + k * job.step; }
  V place(int k) const { return V::load(job.place, at(k)); }
  V start(int k) const { return V::load(job.start, at(k)); }
  F inverse_mass(int k) const { return F::load(job.inverse_mass + at(k)); }
  F acts(int k) const { return F::load(job.acts + k * job.acts_step); }
  F shift(int) const { return shift_; }
  F compliance(int) const { return compliance_; }
  F rest(int k) const {
    if constexpr (kOneSided) return F::load(job.longest + at(k + 1));
    return rest_;
  }
  void move(int k, const V& by) const { (place(k) + by).store(job.place, at(k)); }
};

template <class F, bool kMasked>
void solve_grid_chains(const ChainJob& job, float* scratch) {
  const GridChains<F, kMasked> chains{job};
  if (job.shift > 0)
    solve_chains<F, true>(chains, scratch);
  else
    solve_chains<F, false>(chains, scratch);
}

template <class F>
void limit_grid_chains(const ChainJob& job, float* scratch) {
  solve_chains<F, false>(GridChains<F, false, true>{job}, scratch);
}

/// Second difference about vertex k, less what damping keeps of that at the start.
template <class F>
Vector<F> bent(const BendJob& job, int k) {
  const std::ptrdiff_t at = job.first + k * job.step;
  const auto second = [&](const Planes& places) {
    const Vector<F> middle = Vector<F>::load(places, at);
    return (Vector<F>::load(places, at - job.step) - middle) +
           (Vector<F>::load(places, at + job.step) - middle);
  };
  const Vector<F> now = second(job.place);
  return job.shift > 0 ? now - F::all(job.shift) * second(job.start) : now;
}

/// See BendJob. The right side is made of differences, so that where the cloth is costs no digits.
template <class F>
void solve_bending(const BendJob& job, float* scratch) {
  using V = Vector<F>;
  const int last = job.vertices - 1;
  const auto factor = [&](int number, int k) {
    return F::load(job.factors + number * job.plane + job.first + k * job.step);
  };
  const Planes kept{scratch, scratch + F::kCount, scratch + 2 * F::kCount};
  constexpr int kStep = 3 * F::kCount;

  // 1. Forward: y = L⁻¹ r
  V s_before = V::zero(), s = V::zero(), y1 = V::zero(), y2 = V::zero();
  for (int k = 0; k <= last; ++k) {
    const V s_next = k + 1 < last ? bent<F>(job, k + 1) : V::zero();
    const V r = V::zero() - factor(0, k) * ((s_before - s) + (s_next - s));
    const V y = (r - factor(1, k) * y1) - factor(2, k) * y2;
    y.store(kept, k * kStep);
    y2 = y1;
    y1 = y;
    s_before = s;
    s = s_next;
  }
  // 2. Backward: δ = U⁻¹ y
  V d1 = V::zero(), d2 = V::zero();
  for (int k = last; k >= 0; --k) {
    const V y = V::load(kept, k * kStep);
    const V d = factor(3, k) * ((y - factor(4, k) * d1) - factor(5, k) * d2);
    const std::ptrdiff_t at = job.first + k * job.step;
    (V::load(job.place, at) + d).store(job.place, at);
    d2 = d1;
    d1 = d;
  }
}

/// For registers of W floats, so many of them a straight and a slanted job.
template <int W, int kStraight, int kSlanted>
constexpr Kernels make_kernels(const char* name) {
  using Wide = Lanes<W, kStraight>;
  using Narrow = Lanes<W, kSlanted>;
  static_assert(Wide::kCount <= kMostLanes && Narrow::kCount <= kMostLanes / 2);
  return {name,
          Wide::kCount,
          Narrow::kCount,
          kChainScratch * Wide::kCount,
          solve_grid_chains<Wide, false>,
          solve_grid_chains<Narrow, true>,
          limit_grid_chains<Narrow>,
          solve_bending<Wide>};
}

}  // namespace muslin

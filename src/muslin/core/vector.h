#pragma once
#include "muslin/core/parallel.h"
#include "muslin/core/types.h"

namespace muslin {

/// Σ aᵢ·bᵢ in a fixed order, on all threads.
inline double dot(const Points& a, const Points& b) {
  return parallel_sum(static_cast<int>(a.cols()), 0.0, [&](int v) { return a.col(v).dot(b.col(v)); });
}

/// y += factor x
inline void add(double factor, const Points& x, Points& y) {
  parallel_for(static_cast<int>(x.cols()), [&](int v) { y.col(v) += factor * x.col(v); });
}

/// c = a − b
inline void subtract(const Points& a, const Points& b, Points& c) {
  c.resize(3, a.cols());
  parallel_for(static_cast<int>(a.cols()), [&](int v) { c.col(v) = a.col(v) - b.col(v); });
}

}  // namespace muslin

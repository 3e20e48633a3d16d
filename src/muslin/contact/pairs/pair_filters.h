#pragma once

namespace muslin {

/// What spares the exact look at pairs that cannot matter (near_filter.h, distance_bounds.h) changes no
/// result. To see that it does not, a test sets `off` before it makes a solver, and nobody else.
struct PairFilters {
  static inline bool off = false;
};

}  // namespace muslin

#pragma once
#include "muslin/core/types.h"

namespace muslin {

/// Whether a symmetric block is positive definite.
bool is_positive(const Mat3& block);

/// A positive block M that is as long as B: 2 |xᵀB y| ≤ xᵀM x + yᵀM′y with M′ that of Bᵀ.
Mat3 magnitude(const Mat3& block);

/// What a diagonal block D has to grow by, G, where blocks across the borders of chunks, which `bound`
/// bounds, are as much outside of the diagonal as on it: Gauss–Seidel there and back, with Jacobi's method
/// between chunks, is positive as long as D + 2 G is more than the bound [Baker 2011].
Mat3 growth_between_chunks(const Mat3& diagonal, const Mat3& bound);

}  // namespace muslin

#pragma once
#include "muslin/core/types.h"

namespace muslin {

/// True if a symmetric block is positive definite.
bool is_positive(const Mat3& block);

/// Positive block M that bounds B: 2 |xᵀB y| ≤ xᵀM x + yᵀM′y, where M′ bounds Bᵀ.
Mat3 magnitude(const Mat3& block);

/// Growth G of a diagonal block D that keeps hybrid smoothing positive definite: symmetric Gauss–Seidel
/// within chunks and Jacobi between them need D + 2 G > `bound`, which bounds the blocks between chunks
/// [Baker 2011].
Mat3 growth_between_chunks(const Mat3& diagonal, const Mat3& bound);

}  // namespace muslin

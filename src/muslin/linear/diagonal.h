#pragma once
#include "muslin/linear/filter.h"

namespace muslin {

/// Diagonal block of S A S + μ(I − S). μ is the mean of the block's diagonal and keeps it well conditioned.
Mat3 held_block(const Filter::Held& held, const Mat3& block);

/// The same in place, for a vertex that may be held.
void hold_diagonal(const Filter& filter, int vertex, Mat3& block);

/// Inverts a block in place. False if it is not positive definite.
bool invert(Mat3& block);

}  // namespace muslin

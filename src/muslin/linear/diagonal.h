#pragma once
#include "muslin/linear/filter.h"

namespace muslin {

/// A diagonal block of A as S A S + μ(I − S) has it; μ, the block's own size, keeps it well conditioned.
Mat3 held_block(const Filter::Held& held, const Mat3& block);

/// The same of a vertex that may be held.
void hold_diagonal(const Filter& filter, int vertex, Mat3& block);

/// The block becomes its inverse. False if it is not positive definite.
bool invert(Mat3& block);

}  // namespace muslin

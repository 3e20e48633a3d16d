#pragma once
#include <vector>

#include "muslin/linear/filter.h"

namespace muslin {

/// A diagonal block of A as S A S + μ(I − S) has it; μ, the block's own size, keeps it well conditioned.
Mat3 held_block(const Filter::Held& held, const Mat3& block);

/// The same of all that are held.
void hold_diagonal(const Filter& filter, std::vector<Mat3>& diagonal);

/// Every block becomes its inverse. False if one of them is not positive definite.
bool invert_diagonal(std::vector<Mat3>& diagonal);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/linear/filter.h"

namespace muslin {

/// The diagonal blocks of A become those of S A S + μ(I − S); μ, a block's own size, keeps them well
/// conditioned.
void hold_diagonal(const Filter& filter, std::vector<Mat3>& diagonal);

/// Every block becomes its inverse. False if one of them is not positive definite.
bool invert_diagonal(std::vector<Mat3>& diagonal);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// Points that become one: point k is taken for the point result[k] ≤ k, the first that lies nearer to it
/// than `distance` [m] and is itself taken for no other. Points along a line therefore never all run
/// together.
std::vector<int> merged_points(const Points& points, double distance);

}  // namespace muslin

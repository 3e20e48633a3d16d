#pragma once
#include <string>
#include <vector>

#include "muslin/model/rest_shape.h"
#include "muslin/model/scene.h"

namespace muslin {

/// What looks unintended in a cloth, one sentence each: numbers that can be simulated but are not those of
/// cloth, most often for a wrong unit.
std::vector<std::string> doubts(const Cloth& cloth, const RestShape& rest, const Topology& topology);

/// The same of what all cloths share, each with its path.
std::vector<std::string> doubts(const Scene& scene);

}  // namespace muslin

#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// What looks unintended in a cloth, one sentence each: numbers that can be simulated but are not those of
/// cloth, most often for a wrong unit. `rest` is in its place, in metres.
std::vector<std::string> doubts(const Cloth& cloth, const Mesh& rest, const Topology& topology);

}  // namespace muslin

#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// A named fabric and where its numbers come from.
struct FabricPreset {
  Fabric fabric;
  std::string source;
};

/// All presets, in the order in which they are listed. The first is the default.
const std::vector<FabricPreset>& fabrics();

/// The preset of that name, or nullptr.
const FabricPreset* find_fabric(const std::string& name);

}  // namespace muslin

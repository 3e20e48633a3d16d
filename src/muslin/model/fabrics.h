#pragma once
#include <optional>
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// A named fabric and where its numbers come from.
struct FabricPreset {
  Fabric fabric;
  std::string source;
  std::optional<double> drape =
      {};  ///< [%] drape coefficient of Cusick's test by bench/cusick; absent: unmeasured
};

/// Bending length c = (D / ρ g)^⅓ [m] [Peirce 1930; ASTM D1388] of the mean rigidity √(warp · weft): half of
/// what a strip overhangs whose tip is 41.5° below the edge.
double bending_length(const Fabric& fabric);

/// All presets, in the order in which they are listed. The first is the default.
const std::vector<FabricPreset>& fabrics();

/// The preset of that name, or nullptr.
const FabricPreset* find_fabric(const std::string& name);

}  // namespace muslin

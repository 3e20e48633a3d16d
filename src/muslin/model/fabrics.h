#pragma once
#include <optional>
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// A named fabric, all numbers given, and where they come from.
struct FabricPreset {
  Fabric fabric;       ///< every number given
  std::string source;  ///< where the numbers come from: a paper, a table, or what was estimated
  std::optional<double> drape =
      {};  ///< [%] drape coefficient of Cusick's test by bench/cusick; absent: unmeasured
};

/// Bending length c = (D / ρ g)^⅓ [m] [Peirce 1930; ASTM D1388] of the mean rigidity √(warp · weft): half of
/// what a strip overhangs whose tip is 41.5° below the edge.
double bending_length(const Fabric& fabric);

/// All presets, in the order in which they are listed. The last is that of a fabric that
/// names none.
const std::vector<FabricPreset>& fabrics();

/// The preset of that name, or nullptr.
const FabricPreset* find_fabric(const std::string& name);

/// The fabric with every number given: those that it leaves open are its preset's. Throws Error(invalid) if
/// there is no preset of that name.
Fabric resolved(const Fabric& fabric);
/// The scene with every fabric resolved. Who reads numbers of a fabric, reads them from here.
Scene resolved(Scene scene);

}  // namespace muslin

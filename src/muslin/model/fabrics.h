#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// A named fabric, all numbers given, and where they come from.
struct FabricPreset {
  Fabric fabric;
  std::string source;
};

/// All presets, in the order in which they are listed. The last is that of a fabric that names none.
const std::vector<FabricPreset>& fabrics();

/// The preset of that name, or nullptr.
const FabricPreset* find_fabric(const std::string& name);

/// The fabric with every number given: those that it leaves open are its preset's. Throws Error(invalid) if
/// there is no preset of that name.
Fabric resolved(const Fabric& fabric);
/// The scene with every fabric resolved. Who reads numbers of a fabric, reads them from here.
Scene resolved(Scene scene);

}  // namespace muslin

#pragma once
#include <string>
#include <vector>

#include "muslin/model/scene.h"

// Scenes that break contact, as published work has them. All are procedural: a size makes them finer, never
// larger, and a seed shakes the cloth at the start.

namespace muslin::torture {

/// How finely a scene is cut: `cells` along the longest side of its largest cloth.
struct Size {
  int cells = 0;  ///< 0: the small size of the scene
  std::uint64_t seed = 1;
  int sheets = 0;  ///< of the stack; 0: five, ten if they are fine
};

struct Entry {
  std::string name;
  std::string summary;
  int small, full;  ///< cells
  Scene (*make)(const Size& size);
};

/// Every scene.
const std::vector<Entry>& scenes();

/// Writes a scene as `name`.json with its meshes as OBJ files beside it.
void write(const Scene& scene, const std::string& name, const std::string& folder);

/// The scene of a name. Throws Error(invalid) if there is none.
Scene make(const std::string& name, const Size& size = {});

}  // namespace muslin::torture

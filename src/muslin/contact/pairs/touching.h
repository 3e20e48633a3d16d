#pragma once
#include <vector>

#include "muslin/contact/pairs/scene_surfaces.h"

namespace muslin {

/// An element of cloth that touches a collider, or is inside of it.
struct Touching {
  std::vector<int> vertices;  ///< one, two or three
  int collider;
};

/// All that do so at these places [m] of all vertices, and those that rounding cannot tell from touching, of
/// colliders that contact sees by their exact surface: contact could never part them.
std::vector<Touching> find_touching(const SceneSurfaces& scene, const Points& places);

}  // namespace muslin

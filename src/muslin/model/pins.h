#pragma once
#include <string>
#include <vector>

#include "muslin/geometry/mesh.h"
#include "muslin/model/scene.h"

namespace muslin {

/// The vertices that a pin names, by their numbers in the scene's cloth, ascending. `mesh` is the cloth where
/// the scene puts it (placed_mesh). Throws Error(invalid) where pin_problems finds anything.
std::vector<int> pinned_vertices(const Cloth& cloth, const Pin& pin, const Mesh& mesh);

/// What of a pin does not fit the mesh: vertices and names that it does not have, regions without a vertex.
/// Paths begin with that of the pin.
std::vector<Problem> pin_problems(const std::string& path, const Pin& pin, const Mesh& mesh);

/// The same of a part of a cloth.
std::vector<Problem> part_problems(const std::string& path, const ClothPart& part, const Mesh& mesh);

/// The triangles of a part, ascending: those of faces that it names, and those of which all corners lie where
/// it says.
std::vector<int> triangles_of(const ClothPart& part, const Mesh& mesh);

/// "the mesh has no group "wasit"; did you mean "waist"?"
std::string unknown_name(const Mesh& mesh, const Naming& naming, const std::string& name);

}  // namespace muslin

#pragma once
#include <string>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// Reads an OBJ or PLY file (by extension). Polygons are triangulated as fans; repairs are listed in
/// Mesh::repairs. Throws Error(file) if it cannot be read, Error(invalid) with `file:line:` (or byte) if it
/// is broken.
Mesh read_mesh(const std::string& path);

}  // namespace muslin

#pragma once
#include <string>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// Reads an OBJ or PLY file (by extension, in any case). Polygons are triangulated as fans. Throws
/// Error(file) if it cannot be read, Error(invalid) with `file:line:` (or `file: byte n:`) if it is broken.
///
/// What is mended, and listed in Mesh::repairs: a triangle that repeats a vertex is dropped, and so is one
/// with the same vertices as an earlier one, whichever way it faces; vertices that no face uses are kept; a
/// vertex with several texture coordinates keeps the first (one without gets (0, 0)); bytes behind the last
/// element of a PLY file are ignored. Edges of more than two triangles are left to build_topology.
Mesh read_mesh(const std::string& path);

}  // namespace muslin

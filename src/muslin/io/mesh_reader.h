#pragma once
#include <string>

#include "muslin/io/obj_reader.h"

namespace muslin {

/// Reads an OBJ, PLY, glTF or USD file (by extension, in any case: model/mesh_files.h). Polygons are
/// cut into triangles (geometry/polygon_cut.h). Throws Error(file) if it cannot be read, Error(invalid) with
/// `file:line:` (or `file: byte n:`) if it is broken.
///
/// What is mended, and listed in Mesh::repairs: a triangle that repeats a vertex is dropped, and so is one
/// with the same vertices as an earlier one, whichever way it faces; vertices that no face uses are kept;
/// bytes behind the last element of a PLY file are ignored. A vertex without texture coordinates gets (0, 0)
/// where others have some. Edges of more than two triangles are left to build_topology.
Mesh read_mesh(const std::string& path, const ReadProgress& progress = {},
               PolygonsAs polygons_as = PolygonsAs::cut);

/// The vertices of the mesh of a GLB or glTF file as one of its animations moves them (parse_gltf_animation).
std::vector<Points> read_animation(const std::string& path, const std::optional<std::string>& animation,
                                   double interval);

}  // namespace muslin

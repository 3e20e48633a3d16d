#pragma once
#include <string>
#include <string_view>

#include "muslin/geometry/mesh.h"
#include "muslin/geometry/polygon_cut.h"

namespace muslin {

/// Reads a Stanford PLY file, ascii or binary, from memory; `name` stands for it in messages. Throws
/// Error(invalid).
Mesh parse_ply(std::string_view bytes, const std::string& name, PolygonsAs polygons_as = PolygonsAs::cut);

}  // namespace muslin

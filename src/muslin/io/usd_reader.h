#pragma once
#include <string>
#include <string_view>

#include "muslin/geometry/mesh.h"
#include "muslin/geometry/polygon_cut.h"

namespace muslin {

/// The mesh in the text of a USD file (usda), whose name is `name` in messages: every Mesh prim, in its place
/// and in metres with y up, as metersPerUnit and upAxis say, is an object of its name; prims above it and
/// GeomSubsets are groups, and bound materials are materials. Of time samples the first counts. Throws
/// Error(invalid) with `name:line:`, for what would change the shape and is not read, too: layers and
/// references, variants, skeletons. Mesh::repairs lists what was left out.
Mesh parse_usd(std::string_view text, const std::string& name, PolygonsAs polygons_as = PolygonsAs::cut);

}  // namespace muslin

#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "muslin/geometry/mesh.h"
#include "muslin/geometry/polygon_cut.h"

namespace muslin {

/// Is told now and then which fraction of a long file is read, 0 to 1.
using ReadProgress = std::function<void(double fraction)>;

/// Reads Wavefront OBJ text; `name` stands for the file in messages. Throws Error(invalid).
Mesh parse_obj(std::string_view text, const std::string& name, const ReadProgress& progress = {},
               PolygonsAs polygons_as = PolygonsAs::cut);

}  // namespace muslin

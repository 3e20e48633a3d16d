#pragma once
#include <string>
#include <string_view>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// Reads Wavefront OBJ text; `name` stands for the file in messages. Throws Error(invalid).
Mesh parse_obj(std::string_view text, const std::string& name);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// Which triangles have the same three vertices as an earlier one, whichever way they face.
std::vector<bool> repeated_triangles(const std::vector<Stencil<3>>& triangles);

/// Takes the triangles that are marked out of a mesh; its polygons stay.
void leave_out(const std::vector<bool>& marked, Mesh& mesh);

}  // namespace muslin

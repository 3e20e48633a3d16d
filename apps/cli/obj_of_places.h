#pragma once
#include <string>
#include <vector>

#include "muslin/model/model.h"

/// Triangles to look at, as one object of an OBJ file.
struct Place {
  std::string name;
  std::vector<int> triangles;  ///< may repeat
};

/// Text of an OBJ file with the triangles of some places alone, each with its name; numbers, triangles and
/// positions (3×n, m) are those of the cloth, or of the surface with bodies (audit/bodies.h).
std::string obj_of_places(const muslin::Model& model, const muslin::Points& positions,
                          const std::vector<muslin::Stencil<3>>& triangles, const std::vector<Place>& places);

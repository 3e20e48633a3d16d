#pragma once
#include <string>
#include <vector>

#include "muslin/core/types.h"

/// Triangles to look at, as one object of an OBJ file.
struct Place {
  std::string name;
  std::vector<int> triangles;  ///< may repeat
};

/// Text of an OBJ file with the triangles of some places alone.
std::string obj_of_places(const muslin::Points& positions, const std::vector<muslin::Stencil<3>>& triangles,
                          const std::vector<Place>& places);

#pragma once
#include <vector>

#include "muslin/contact/pairs/surfaces.h"

namespace muslin {

/// Triangles that are neighbours at rest and hang together, with their edges and vertices unless an earlier
/// block has them: no block has two layers. Or a vertex of no triangle.
struct SurfaceBlock {
  std::vector<int> vertices;  ///< all of its triangles', sorted
  std::vector<Stencil<1>> points;
  std::vector<Stencil<2>> edges;
  std::vector<Stencil<3>> triangles;
};

/// Surfaces cut into blocks of at most so many triangles. Every vertex, edge and triangle is in one.
std::vector<SurfaceBlock> surface_blocks(const Surfaces& surfaces, int triangles);

}  // namespace muslin

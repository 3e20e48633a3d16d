#pragma once
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// Triangles that fill a closed outline, which may go either way round.
struct FlatMesh {
  std::vector<Vec2> points;             ///< [m] those of the outline first, in their order
  std::vector<Stencil<3>> triangles{};  ///< counter-clockwise
};

/// The constrained Delaunay triangulation of an outline with points in it [Sloan 1993], all sides of the
/// outline among its edges; by integers, so that every decision is exact, of places rounded to 0.24 µm.
/// Places are within 8 m. Throws Error(invalid) for an outline that meets itself.
FlatMesh triangulate(std::vector<Vec2> outline, const std::vector<Vec2>& inside);

/// The same with points inside: a hexagonal lattice with edges of this length [m], and circumcentres of what
/// is still thin [Ruppert 1995]. No point is added to the outline.
FlatMesh mesh_of_outline(const std::vector<Vec2>& outline, double edge);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/geometry/topology.h"

namespace muslin {

/// A surface as its edges' lengths tell of it, wherever it lies.
struct EdgeLengths {
  std::vector<Stencil<3>> triangles;
  std::vector<std::array<double, 3>> length;  ///< [m] of the edge opposite to each vertex of a triangle
  Incidence about;                            ///< the triangles about every vertex
};
EdgeLengths edge_lengths(int vertex_count, const std::vector<Stencil<3>>& triangles,
                         const std::vector<Stencil<2>>& edges, const std::vector<double>& lengths);

/// How far every vertex is from one, along the surface [m]; infinite where it does not hang together with it.
/// A triangle's third vertex is as far as the straight way to it through the edge of the other two, unfolded
/// into the plane, or as the way along an edge where that one leads past the triangle [Novotni 2002]. Exact
/// on flat meshes as far as straight ways stay in them.
std::vector<double> geodesic_distances(const EdgeLengths& surface, int source);

}  // namespace muslin

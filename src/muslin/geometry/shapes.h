#pragma once
#include <vector>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// A flat sheet of irregular triangles over [0, size] × [0, size] of the x-z plane: the points of a grid of
/// points × points, moved by up to `shake` of a cell, the border along itself only, then Delaunay's
/// triangulation. Cells grow from one side to the other, the last `grading` times as wide as the first.
struct IrregularSheet {
  int points = 33;
  double size = 1;  ///< [m]
  double shake = 0.35;
  double grading = 1;
  std::uint64_t seed = 1;
};
Mesh make_irregular_sheet(const IrregularSheet& sheet);

/// A tube about the y axis from y = 0 to `length`, around × along vertices; vertex (i, j) has index
/// j·around + i and lies at the angle 2πi/around. Diagonals alternate, `around` is even.
Mesh make_tube(int around, int along, double radius, double length);

/// A round hole [m].
struct Hole {
  Vec3 centre;
  double radius;
};
/// The mesh without the triangles that have a vertex in a hole, and without vertices that no triangle has.
Mesh cut_holes(const Mesh& mesh, const std::vector<Hole>& holes);

/// Flips edges until no triangle's circle holds another vertex [Lawson 1977]. For flat meshes.
void flip_to_delaunay(Mesh& mesh);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// One cloth, or one body that moves as it is told.
struct Piece {
  bool body = false;
  double friction = 0;  ///< Coulomb's coefficient: of a cloth, on cloth; of a body, on any cloth
};

/// What contact sees of a scene: the triangles of all cloths and mesh bodies, over one numbering of vertices.
/// A solver that has unknowns for cloth alone numbers cloth first: rows of contact (contact_rows.h) take
/// vertices beyond its columns as held.
struct Surfaces {
  Points rest{3, 0};  ///< [m], 3×n; of pieces beside each other, only whether they touch matters
  std::vector<Stencil<3>> triangles;  ///< of vertices
  std::vector<Stencil<2>> edges;      ///< of vertices
  std::vector<int> piece;             ///< one a vertex: which of `pieces`
  std::vector<char> moves;            ///< one a vertex: 0 where it stays (bodies and pins without a motion)
  Scalars half_thickness;             ///< one a vertex [m]
  std::vector<Piece> pieces;
  bool cloth_meets_cloth = true;  ///< false: only bodies are met

  int vertex_count() const { return static_cast<int>(rest.cols()); }

  /// Appends a mesh as a new piece and returns its first vertex. Of a body, edges within flat faces (the
  /// mesh's diagonals) are left out: a cloth meets the face first. Throws Error(invalid) as build_topology
  /// does.
  int add(const Mesh& mesh, double half_thickness_of_piece, const Piece& description);
};

}  // namespace muslin

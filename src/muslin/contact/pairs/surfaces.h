#pragma once
#include <algorithm>
#include <vector>

#include "muslin/geometry/mesh.h"
#include "muslin/geometry/topology.h"

namespace muslin {

/// One cloth, or one body that moves as it is told.
struct Piece {
  bool body = false;
  double friction = 0;  ///< Coulomb's coefficient: of a cloth, on cloth; of a body, on any cloth
  double inset = 0;     ///< how deep its elements lie below its surface [m]: the radius of what is round
  int frame = -1;       ///< of a round body, the first of four vertices that move with it, not in a plane
};

/// What contact sees of a scene: the triangles of all cloths and bodies, over one numbering of vertices.
/// Round bodies are exact: a ball is a point that everything keeps its radius more from, a capsule such an
/// edge. So that vertices of cloth meet them, either is a triangle without area, too. A plane is one without
/// an end. A solver that has unknowns for cloth alone numbers cloth first: rows of contact (contact_rows.h)
/// take vertices beyond its columns as held.
struct Surfaces {
  Points rest{3, 0};  ///< [m], 3×n; of pieces beside each other, only whether they touch matters
  std::vector<Stencil<1>> points;     ///< vertices that meet triangles
  std::vector<Stencil<3>> triangles;  ///< of vertices
  std::vector<Stencil<2>> edges;      ///< of vertices
  std::vector<Stencil<3>> planes;     ///< of bodies; through three vertices each, which are no points
  std::vector<int> piece;             ///< one a vertex: which of `pieces`
  std::vector<char> moves;            ///< one a vertex: 0 where it stays (bodies and pins without a motion)
  Scalars half_thickness;             ///< one a vertex [m]
  std::vector<Piece> pieces;
  Scalars friction;  ///< of the first vertices, those of cloth: their own coefficient, NaN: that of the piece
                     ///< or of what they meet; empty: no vertex has one
  bool cloth_meets_cloth = true;  ///< false: only bodies are met
  /// Held vertices of cloth inside bodies, as (vertex, piece), sorted: what of cloth has such a vertex does
  /// not meet that body.
  std::vector<Stencil<2>> held_inside{};

  /// Vertices of cloth that a body carries, or that springs fasten to another cloth, as (vertex, piece),
  /// sorted. What has such a vertex meets that piece as cloth meets itself: later, where it began near it.
  std::vector<Stencil<2>> fastened{};
  Points together{3, 0};  ///< 3×n [m]: of such vertices and pieces, where they are beside each other

  /// One a vertex: 1 where borders were sewn together. It has no one place at rest: elements that have such
  /// vertices do not touch at rest, and keep their whole thickness. Empty: none.
  std::vector<char> sewn{};

  /// Whether any vertex of an element, or of a pair, is sewn.
  template <std::size_t N>
  bool is_sewn(const Stencil<N>& vertices) const {
    return !sewn.empty() &&
           std::any_of(vertices.begin(), vertices.end(), [&](int v) { return sewn[v] != 0; });
  }

  int vertex_count() const { return static_cast<int>(rest.cols()); }
  /// Whether a vertex is one of held_inside of the body that is this piece.
  bool is_held_inside(int vertex, int body) const {
    return !held_inside.empty() &&
           std::binary_search(held_inside.begin(), held_inside.end(), Stencil<2>{vertex, body});
  }

  bool is_fastened(int vertex, int other) const {
    return std::binary_search(fastened.begin(), fastened.end(), Stencil<2>{vertex, other});
  }

  /// Appends a mesh as a new piece and returns its first vertex. Of a body, edges within flat faces (the
  /// mesh's diagonals) are left out: a cloth meets the face first. Throws Error(invalid) as build_topology
  /// does.
  int add(const Mesh& mesh, double half_thickness_of_piece, const Piece& description);

  /// The same of bodies about the origin: a ball; one whose centre is swept along y by `length` [m]; the
  /// plane y = 0.
  int add_ball(double radius, double half_thickness_of_piece, Piece description);
  int add_capsule(double radius, double length, double half_thickness_of_piece, Piece description);
  int add_plane(double half_thickness_of_piece, const Piece& description);

 private:
  int add_vertices(const Points& places, double half_thickness_of_piece, const Piece& description);
};

}  // namespace muslin

#pragma once
#include <utility>
#include <vector>

#include "muslin/core/types.h"

// The independent judge of a triangle surface: it shares no code with contact, so that neither can hide a
// mistake of the other.

namespace muslin {

/// The triangles of all cloths together, and what follows from them. Bodies may stand behind the cloth
/// (bodies.h): no search looks at pairs of bodies alone.
struct Surface {
  std::vector<Stencil<3>> triangles;  ///< vertex numbers, those of cloth before those of bodies
  std::vector<Stencil<2>> edges;      ///< unique (low, high), sorted
  std::vector<int> piece;         ///< one a vertex: which connected piece it belongs to, -1 without triangles
  int cloth_vertices;             ///< vertices from here on are those of bodies
  bool cloth_meets_cloth = true;  ///< false: only pairs of cloth and a body are looked at
};
/// Of cloth alone.
Surface make_surface(int vertex_count, const std::vector<Stencil<3>>& triangles);

/// The same surface with pairs of vertices that are one: of each class triangles and edges name the least.
/// Elements keep their numbers.
Surface joined(Surface surface, const std::vector<Stencil<2>>& pairs);

/// The pairs (low, high) of triangles that meet (see triangles.h), sorted.
std::vector<std::pair<int, int>> intersecting_pairs(const Surface& surface, const Points& positions);

/// Which elements make a pair.
enum class PairOf {
  vertex_triangle,  ///< a vertex and a triangle
  edge_edge,        ///< two edges
};

/// Two elements that share no vertex.
struct ElementPair {
  PairOf kind;      ///< what `first` and `second` are
  int first;        ///< a vertex, or an index into Surface::edges
  int second;       ///< an index into Surface::triangles or Surface::edges
  Vec3 place;       ///< between their nearest points [m]
  double distance;  ///< [m]
};

/// Two elements that passed through each other on the straight way between two frames.
struct Crossing : ElementPair {
  int side_before;  ///< side_of the pair in the first of them
  bool turned;      ///< edges at their vertices turned by more than a right angle meanwhile: no cloth goes
                    ///< straight then
};

/// The vertex and the triangle's corners, or the ends of the two edges.
Stencil<4> vertices_of(const Surface& surface, const ElementPair& pair);

/// Which side of each other the two are on, 1 or -1 (exactly); 0 where they do not face each other.
int side_of(const Surface& surface, const ElementPair& pair, const Points& positions);

/// How far apart the two are kept [m]: either keeps the least of what its vertices keep, `kept`.
double kept_by(const Surface& surface, const ElementPair& pair, const Scalars& kept);

/// Pairs nearer than they are kept apart (kept_by); vertices with triangles before edges, each sorted.
/// Elements of one piece count where they face each other, that is where their nearest points lie inside
/// both: else every neighbour would.
std::vector<ElementPair> find_gaps(const Surface& surface, const Points& positions, const Scalars& kept);

/// The same of all pairs nearer than `within` [m].
std::vector<ElementPair> find_gaps(const Surface& surface, const Points& positions, double within);

/// Pairs that passed through each other between two frames: they face each other in both, changed sides
/// (exactly), and touch on the straight way. `place` and `distance` are those of the second frame. Whatever
/// slips past its counterpart on the way, by more than the size of a triangle, is not seen.
std::vector<Crossing> find_crossings(const Surface& surface, const Points& before, const Points& after);

}  // namespace muslin

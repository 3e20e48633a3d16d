#pragma once
#include <utility>
#include <vector>

#include "muslin/geometry/topology.h"

// The lines along which surfaces intersect, by the places where edges pass through triangles: there a line
// bends.

namespace muslin {

/// Triangles that intersect, by index, or a triangle and a collider.
using IndexPairs = std::vector<std::pair<int, int>>;

/// An edge that passes through a triangle with which it shares no vertex.
struct Piercing {
  Stencil<2> edge;       ///< vertices
  Stencil<3> triangle;   ///< vertices
  Vec2 edge_weight;      ///< of the place on the edge: ≥ 0, sum 1
  Vec3 triangle_weight;  ///< of the place on the triangle: likewise
  Vec3 pull;             ///< along which the edge moves past the triangle to shorten the line
};

/// Where an edge goes from one side of a triangle's plane to the other within the triangle, without its pull;
/// false where it does not. A plane belongs to its back side.
bool pierces(const Points& x, const Stencil<2>& edge, const Stencil<3>& triangle, Piercing& piercing);

/// Pairs of triangles that intersect, by index and sorted, as piercings, sorted by edge, then triangle. Pairs
/// that only touch may have none.
///
/// The pull is the rate at which the length of the line changes when the edge moves, and ten times the mean
/// of all pulls along the line: what a single bend says is noise where surfaces are smooth, and where the
/// line is a loop, sideways pulls cancel and those that draw one side out of the other remain. [Volino 2006]
/// call the two the local and the global scheme.
std::vector<Piercing> find_piercings(const Points& positions, const std::vector<Stencil<3>>& triangles,
                                     const Topology& topology, const IndexPairs& pairs);

}  // namespace muslin

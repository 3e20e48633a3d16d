#pragma once
#include <vector>

#include "muslin/core/types.h"

// Closest points of the pairs by which surfaces touch: a point and a triangle, two edges, a point and a
// plane.

namespace muslin {

/// Who meets whom among the four vertices of a pair.
enum class PairKind {
  point_triangle,  ///< vertex 0 (side A) and triangle 1 2 3 (side B)
  edge_edge,       ///< edge 0 1 (side A) and edge 2 3 (side B)
  point_plane,     ///< vertex 0 (side A) and the plane without end through vertices 1 2 3 (side B)
};

/// Positions of the four vertices of a pair [m], one column each.
using Quad = Eigen::Matrix<double, 3, 4>;
/// A number for each of their coordinates.
using Vec12 = Eigen::Matrix<double, 12, 1>;
/// A number for each two of their coordinates.
using Mat12 = Eigen::Matrix<double, 12, 12>;

/// The nearest points a of side A and b of side B: Σ weightᵢ xᵢ = a − b = distance · normal.
struct Closest {
  double distance;  ///< [m]
  Vec3 normal;      ///< unit, from b to a; at distance 0 some unit vector at right angles to both sides
  Eigen::Vector4d weight;  ///< barycentric: ≥ 0 with sum 1 on side A, ≤ 0 with sum −1 on side B, and exactly
                           ///< 0 for vertices that do not bear on it (a point beside an edge, say); of a
                           ///< plane, of any sign
};

/// Closest points of a pair, of any shape: slivers, parallel edges, features without length or area.
Closest closest_points(PairKind kind, const Quad& x);

/// The gap between the boxes of the two sides along the axis where it is widest [m]: never more than their
/// distance, and far cheaper. A plane has no box: −∞.
inline double box_gap(PairKind kind, const Quad& x) {
  if (kind == PairKind::point_plane) return -kInfinity;
  const bool edges = kind == PairKind::edge_edge;
  const Vec3 low_a = edges ? x.col(0).cwiseMin(x.col(1)).eval() : x.col(0).eval();
  const Vec3 high_a = edges ? x.col(0).cwiseMax(x.col(1)).eval() : x.col(0).eval();
  Vec3 low_b = x.col(2).cwiseMin(x.col(3)), high_b = x.col(2).cwiseMax(x.col(3));
  if (!edges) {
    low_b = low_b.cwiseMin(x.col(1));
    high_b = high_b.cwiseMax(x.col(1));
  }
  return (low_a - high_b).cwiseMax(low_b - high_a).maxCoeff();
}

/// ∂d/∂x, vertex by vertex: the nearest points slide along their features without changing the distance to
/// first order (envelope theorem), so only the explicit weights are left [Danskin 1967].
inline Vec12 distance_gradient(const Closest& closest) {
  Vec12 gradient;
  for (int i = 0; i < 4; ++i) gradient.segment<3>(3 * i) = closest.weight[i] * closest.normal;
  return gradient;
}

/// ∂²d/∂x² [1/m] at a distance > 0, as long as the nearest points stay on the features that they are on: the
/// second derivative jumps where they change, and grows as 1/sin² of the angle between two edges.
Mat12 distance_hessian(const Closest& closest, const Quad& x);

/// Sides that slide past each other and turn come nearer to second order. With these r, a column a vertex
/// [1/√m], ∂²d/∂x² + Σ r rᵀ has no negative eigenvalue.
std::vector<Quad> distance_turns(const Closest& closest, const Quad& x);

/// All differences a − b between the points of side A and those of side B: a flat patch corner + s·u + t·v,
/// with (s, t) in the unit square for two edges, 0 ≤ s, t, s + t ≤ 1 for a point and a triangle, and any s
/// and t for a plane. The sides are as far apart as the patch is from zero, so that all kinds of pair are one
/// problem with three vectors.
struct Patch {
  Vec3 corner;  ///< [m]
  Vec3 u;       ///< [m] one side from the corner
  Vec3 v;       ///< [m] the other
};
/// The patch of a pair at x [m].
Patch patch_of(PairKind kind, const Quad& x);

/// The point of a patch that is nearest to zero.
struct PatchPoint {
  double s;         ///< along u
  double t;         ///< along v
  double distance;  ///< [m]
  Vec3 normal;      ///< unit, from zero to the point
};
/// That point.
PatchPoint nearest_to_zero(PairKind kind, const Patch& patch);

}  // namespace muslin

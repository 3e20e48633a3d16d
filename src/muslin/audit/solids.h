#pragma once
#include <vector>

#include "muslin/model/motion.h"

// Cloth and colliders that are solids, convex all of them: planes, spheres, boxes, capsules and cylinders.
// Meshes count by their triangles alone (bodies.h). A plane that acts on both sides (friction_law cs184) has
// no inside.

namespace muslin {

/// How deep a point is inside a collider that has this pose: the way to its surface [m], negative outside; −∞
/// where there is no inside.
double depth_inside(const Collider& collider, const Pose& pose, const Vec3& point);

/// A vertex inside a collider.
struct InsideVertex {
  int vertex;    ///< of the positions that were judged
  int collider;  ///< index into the list of colliders
  double depth;  ///< of the vertex below the collider's surface [m], > 0
};

/// What is below the surface by less than this is rounding, not penetration [m].
inline constexpr double kSurfaceRounding = 1e-9;

/// Vertices deeper than kSurfaceRounding inside enabled colliders that have these poses; by collider, then by
/// vertex. positions: 3×n [m].
std::vector<InsideVertex> vertices_inside(const std::vector<Collider>& colliders,
                                          const std::vector<Pose>& poses, const Points& positions);

/// A triangle that cuts a collider with all of its vertices outside.
struct CutTriangle {
  int triangle;  ///< index into the triangles that were judged
  int collider;  ///< index into the list of colliders
  double depth;  ///< of the place [m]
  Vec3 place;    ///< where it is deepest [m]
};

/// Triangles that do so, deeper than kSurfaceRounding; by collider, then by triangle.
std::vector<CutTriangle> triangles_cutting(const std::vector<Collider>& colliders,
                                           const std::vector<Pose>& poses, const Points& positions,
                                           const std::vector<Stencil<3>>& triangles);

/// The straight way of all vertices between two times.
struct Passage {
  double begin;        ///< [s]
  double end;          ///< [s]
  const Points& from;  ///< positions at `begin` [m], 3×n
  const Points& to;    ///< positions at `end` [m], 3×n
};

/// A vertex whose straight way leads through a collider.
struct ThroughVertex {
  int vertex;        ///< of the positions that were judged
  int collider;      ///< index into the list of colliders
  double depth;      ///< of the way at its deepest [m]
  double way;        ///< length of the straight way as the collider sees it [m]
  double way_round;  ///< any way round the collider is at least as long [m]
};

/// Vertices outside at both times whose straight way, as the collider sees it, enters through one side and
/// leaves through another that faces away from it; by collider, then by vertex. What goes round a corner of
/// it does not count, nor what comes out where it went in.
std::vector<ThroughVertex> vertices_through(const std::vector<Collider>& colliders, const Passage& passage);

}  // namespace muslin

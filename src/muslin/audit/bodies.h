#pragma once
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// How deep a point is inside a collider as it stands at a time: the way to its surface [m], negative
/// outside. A plane that acts on both sides (friction_law cs184) has no inside.
double depth_inside(const Collider& collider, double time, const Vec3& point);

/// A vertex inside a collider.
struct InsideVertex {
  int vertex, collider;
  double depth;  ///< [m]
};

/// What is below the surface by less than this is rounding, not penetration [m].
inline constexpr double kSurfaceRounding = 1e-9;

/// Vertices deeper than kSurfaceRounding inside enabled colliders at a time; by collider, then by vertex.
// A collider that is a mesh belongs here too: as a surface of its own (audit/surface.h) together with the
// cloth.
std::vector<InsideVertex> vertices_inside(const std::vector<Collider>& colliders, double time,
                                          const Points& positions);

}  // namespace muslin

#pragma once
#include <optional>
#include <vector>

#include "muslin/geometry/bvh.h"
#include "muslin/geometry/distance.h"
#include "muslin/geometry/sdf.h"
#include "muslin/geometry/topology.h"

namespace muslin {

/// A body with an inside, by its triangles: the way out of it, be it a primitive or a mesh from a file.
class Solid {
 public:
  /// Triangles that face outwards. What is behind them is inside, so they enclose a space, or are a plane.
  Solid(const Points& positions, std::vector<Stencil<3>> triangles);

  /// How far a place is from the surface [m], negative inside, and the unit vector along which it gets
  /// farther.
  SurfacePoint surface_at(const Vec3& place) const;

  /// Whether a place is inside or within a distance [m] of the surface, by the box about it: cheap.
  bool may_be_within(double distance, const Vec3& place) const;

 private:
  Closest closest_to(const Vec3& place, int triangle) const;
  Vec3 outwards_at(const Closest& closest, int triangle) const;

  std::vector<Stencil<3>> triangles_;
  BoxTree tree_;      // of them
  Points positions_;  // of their corners [m]
  Incidence around_;  // triangles of a corner
};

/// Triangles that enclose a space, turned to face outwards: none if some side has no second triangle, or two
/// neighbours face different ways.
std::optional<std::vector<Stencil<3>>> facing_outwards(const Points& positions,
                                                       std::vector<Stencil<3>> triangles);

}  // namespace muslin

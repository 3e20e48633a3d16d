#pragma once
#include <memory>
#include <string>
#include <vector>

#include "muslin/geometry/bvh.h"
#include "muslin/geometry/distance.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/sdf.h"
#include "muslin/geometry/topology.h"

namespace muslin {

/// The signed distance to what a closed mesh encloses: that to the nearest triangle, and inside where the
/// place is behind the normal of the face, edge or vertex that is nearest; of an edge that is the sum of its
/// faces' normals, of a vertex the sum weighted by their angles [Baerentzen 2005].
class ClosedSurface {
 public:
  /// Why a mesh encloses nothing, as a clause ("is open, or turns its front, at edge 3-7"), or "". Vertices
  /// in one place count as one, as files have several where texture coordinates differ.
  static std::string problem(const Mesh& mesh);

  /// Of a mesh without a problem; if its triangles look inwards they are turned about. Or of a single
  /// triangle, behind which all is inside that is nearer to it than to its border: a plane, seen from near.
  explicit ClosedSurface(const Mesh& mesh);

  /// The same triangles with their vertices elsewhere: 3×n, finite [m].
  ClosedSurface moved(const Points& positions) const;

  /// Infinite for a place that is no number.
  SurfacePoint at(const Vec3& place) const;

  /// Values of the mesh's vertices (3×n), mixed as those of a triangle are in the point that is nearest.
  Vec3 mixed(const Points& values, const Vec3& place) const;

  /// Whether a place is inside or within a distance [m] of the surface, by the box about it: cheap.
  bool may_be_within(double distance, const Vec3& place) const;

  /// From the origin to its farthest vertex [m].
  double reach() const { return reach_; }

 private:
  /// What stays while vertices move. Places are vertices, those in one place at the start as one.
  struct Connections {
    std::vector<Stencil<3>> vertices, places;  ///< of every triangle
    Incidence around;                          ///< the triangles about every place
    double side = 1;                           ///< −1: fronts look inwards
  };
  struct Face {
    std::array<Vec3, 3> corner;  ///< [m]
    Vec3 normal;                 ///< unit, outwards; zero if it has no area
  };
  struct Nearest {
    int triangle;  ///< −1: of a place that is no number, or no triangle has an area
    Closest closest;
  };

  void take(const Points& positions);
  Closest closest_on(int triangle, const Vec3& place) const;
  Nearest nearest(const Vec3& place) const;
  Vec3 outward(const Nearest& nearest) const;

  std::shared_ptr<const Connections> connections_;
  std::vector<Face> faces_;
  BoxTree tree_{{}};
  double reach_ = 0;
};

}  // namespace muslin

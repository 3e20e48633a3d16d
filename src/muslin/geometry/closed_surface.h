#pragma once
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muslin/geometry/bvh.h"
#include "muslin/geometry/distance.h"
#include "muslin/geometry/lane_distances.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/sdf.h"
#include "muslin/geometry/topology.h"

namespace muslin {

/// The faces of a surface that can be nearest to places about a centre.
struct NearbyFaces {
  Vec3 centre = Vec3::Constant(kInfinity);
  /// Leaves of the tree of faces, each after a lower bound of its distance from the centre [m], the nearest
  /// first. None: they were too many to keep.
  std::vector<std::pair<double, int>> leaves{};
};

/// The signed distance to what a closed mesh encloses: that to the nearest triangle, and inside where the
/// place is behind the normal of the face, edge or vertex that is nearest; of an edge that is the sum of its
/// faces' normals, of a vertex the sum weighted by their angles [Baerentzen 2005].
class ClosedSurface {
 public:
  /// Why a mesh encloses nothing, as a clause ("is open, or turns its front, at edge 3-7"), or "". Vertices
  /// in one place count as one, as files have several where texture coordinates differ.
  static std::string problem(const Mesh& mesh);

  /// Of a mesh without a problem. Triangles of pieces that look inwards are turned about; a piece in the box
  /// of a larger one that looks the other way is a hollow in it. Or of a single
  /// triangle, behind which all is inside that is nearer to it than to its border: a plane, seen from near.
  explicit ClosedSurface(const Mesh& mesh);

  /// The same triangles with their vertices elsewhere: 3×n, finite [m].
  ClosedSurface(const ClosedSurface& other, const Points& positions);

  /// Infinite for a place that is no number.
  SurfacePoint at(const Vec3& place) const;

  /// The same bits, in less time where places linger: looks among `nearby` alone, and finds those faces anew
  /// once the place has left them. The place is `way` [m] from one whose unsigned distance was `before` [m].
  SurfacePoint at(const Vec3& place, double way, double before, NearbyFaces& nearby) const;

  /// Values of the mesh's vertices (3×n), mixed as those of a triangle are in the point that is nearest.
  Vec3 mixed(const Points& values, const Vec3& place) const;

  /// Whether a place is inside or within a distance [m] of the surface, by the box about it: cheap.
  bool may_be_within(double distance, const Vec3& place) const;

  /// −1 for a triangle whose front looks inwards, or else 1.
  int side(int triangle) const { return connections_->side[triangle]; }

  /// From the origin to its farthest vertex [m].
  double reach() const { return reach_; }

 private:
  /// What stays while vertices move. Places are vertices, those in one place at the start as one.
  struct Connections {
    std::vector<Stencil<3>> vertices, places;  ///< of every triangle
    Incidence around;                          ///< the triangles about every place
    std::vector<signed char> side{};           ///< of every triangle; −1: its front looks inwards
  };
  struct Face {
    std::array<Vec3, 3> corner;  ///< [m]
    Vec3 normal;                 ///< unit, outwards; zero if it has no area
  };
  struct Nearest {
    int triangle = -1;  ///< −1: of a place that is no number, or no triangle has an area
    Closest closest{kInfinity, Vec3::UnitY(), Eigen::Vector4d::Zero()};
  };

  void take(const Points& positions);
  Closest closest_on(int triangle, const Vec3& place) const;
  Eigen::Array4d least_distances(int leaf, const Vec3& place) const;
  void look_in(int leaf, const Vec3& place, Nearest& nearest) const;
  Nearest nearest(const Vec3& place) const;
  SurfacePoint point_of(const Nearest& nearest) const;
  Vec3 outward(const Nearest& nearest) const;

  std::shared_ptr<const Connections> connections_;
  std::vector<Face> faces_;
  BoxTree tree_{{}};
  std::vector<std::array<FourVectors, 3>> leaves_;  ///< corners of the faces of the tree's leaves
  double reach_ = 0;
  double slack_ = 0;  ///< by which a place may be from the centre of what is nearby [m]
};

}  // namespace muslin

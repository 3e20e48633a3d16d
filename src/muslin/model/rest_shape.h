#pragma once
#include <array>

#include "muslin/energy/energy.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/topology.h"

namespace muslin {

/// A cloth without load. Each triangle has a shape of its own: a pattern's panels lie apart, and what is sewn
/// together may differ in length.
struct RestShape {
  const Mesh& cloth;    ///< who is joined to whom
  const Mesh& pattern;  ///< the same triangles in the same order, and their texture; may be `cloth` itself

  /// Positions of a triangle's corners [m].
  Local<3> corners(int triangle) const;
  double area(int triangle) const;  ///< [m²]

  /// Of the edge between two vertices of the cloth [m]; on a seam the mean of both sides.
  double edge_length(const Hinge& hinge) const;

  /// Between the tips of a hinge of two triangles [m].
  double tip_distance(const Hinge& hinge) const;

  /// The tip of the second triangle at a hinge as seen from the first: it is where the pattern has it, or
  /// across a seam unfolded into the first one's plane, so that a seam is flat at rest. The first triangle
  /// may be either of the hinge's.
  Vec3 tip_beyond(const Hinge& hinge, int first) const;
};

}  // namespace muslin

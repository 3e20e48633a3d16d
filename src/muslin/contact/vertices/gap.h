#pragma once
#include <cmath>

#include "muslin/geometry/sdf.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// Signed distance [m] of a place to a convex collider in a pose, and the outward normal, both in the world's
/// frame. A collider that is not enabled is infinitely far away, and so is a mesh.
SurfacePoint surface_of(const Collider& collider, const Pose& pose, const Vec3& place);

/// Coulomb's coefficient of a vertex on a collider: its own where a region gives it one.
inline double friction_of(const Model& model, const Collider& collider, int vertex) {
  const bool has_own = model.friction.size() > 0 && !std::isnan(model.friction[vertex]);
  return has_own ? model.friction[vertex] : collider.friction;
}

/// Across, where a collider is narrowest [m]; infinite for planes and meshes.
double width_of(const Collider& collider);

/// What tells that places are far from a collider in a pose without looking at its shape: the ball about its
/// centre that it does not leave, or the plane that it is.
class ColliderBound {
 public:
  /// `reach`: from its centre to its farthest place [m].
  ColliderBound(const Collider& collider, const Pose& pose, double reach);

  /// Whether a place is more than `distance` [m] from the collider. False where the bound does not tell.
  bool is_farther(const Vec3& place, double distance) const {
    constexpr double kRounding = 1e-9;  // far more than products and a square root are off
    const Vec3 offset = place - centre_;
    if (is_plane_)
      return up_.dot(offset) > distance + kRounding * (std::abs(distance) + offset.cwiseAbs().sum());
    const double from_centre = reach_ + distance;
    return from_centre > 0 && offset.squaredNorm() > (1 + kRounding) * from_centre * from_centre;
  }

 private:
  Vec3 centre_, up_;
  double reach_;  ///< [m]
  bool is_plane_;
};

/// The gap of every vertex to the nearest collider, beyond what is kept of thickness and margin [m]; infinite
/// without colliders.
Scalars measure_gaps(const Model& model, const Controls& controls, const State& state);
inline Scalars measure_gaps(const Model& model, const State& state) {
  return measure_gaps(model, model.script, state);
}

}  // namespace muslin

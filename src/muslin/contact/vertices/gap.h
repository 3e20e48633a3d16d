#pragma once
#include "muslin/geometry/sdf.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// Signed distance [m] of a place to a collider in a pose, and the outward normal, both in the world's frame.
/// A collider that is not enabled is infinitely far away, and so is a mesh: only contact of triangles sees
/// it.
SurfacePoint surface_of(const Collider& collider, const Pose& pose, const Vec3& place);

/// Across, where a collider is narrowest [m]; infinite for planes and meshes.
double width_of(const Collider& collider);

/// Whether a place is more than `distance` [m] from a collider, without looking at its shape: beyond the ball
/// about its centre that it does not leave. False where that does not tell.
inline bool is_beyond(double reach, const Pose& pose, const Vec3& place, double distance) {
  constexpr double kRounding = 1 + 1e-9;  // far more than a square and a square root are off
  const double from_centre = reach + distance;
  return from_centre > 0 && (place - pose.translation).squaredNorm() > kRounding * from_centre * from_centre;
}

/// The gap of every vertex to the nearest collider, beyond what is kept of thickness and margin [m]; infinite
/// without colliders.
Scalars measure_gaps(const Model& model, const Controls& controls, const State& state);
inline Scalars measure_gaps(const Model& model, const State& state) {
  return measure_gaps(model, model.script, state);
}

}  // namespace muslin

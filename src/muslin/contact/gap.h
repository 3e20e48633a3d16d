#pragma once
#include "muslin/geometry/sdf.h"
#include "muslin/model/motion.h"

namespace muslin {

/// Signed distance [m] of a place to a collider in a pose, and the outward normal, both in the world's frame.
SurfacePoint surface_of(const Collider& collider, const Pose& pose, const Vec3& place);

}  // namespace muslin

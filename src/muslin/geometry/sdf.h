#pragma once
#include "muslin/core/types.h"

// Signed distance to analytic solids in their own frame: centre at the origin, axis along y.

namespace muslin {

/// Distance [m] to a surface, negative inside, and the outward unit normal at its nearest point.
struct SurfacePoint {
  double distance;
  Vec3 normal;
};

SurfacePoint sphere_surface(const Vec3& p, double radius);
/// The half space y ≤ 0 is solid.
SurfacePoint plane_surface(const Vec3& p);
SurfacePoint box_surface(const Vec3& p, const Vec3& size);
/// `length` is the distance between the centres of the end spheres.
SurfacePoint capsule_surface(const Vec3& p, double radius, double length);
/// `length` is the height of the cylinder.
SurfacePoint cylinder_surface(const Vec3& p, double radius, double length);

}  // namespace muslin

#include "muslin/contact/gap.h"

namespace muslin {

namespace {
SurfacePoint local_surface(const Collider& collider, const Vec3& p) {
  switch (collider.shape) {
    case Shape::sphere:
      return sphere_surface(p, collider.radius);
    case Shape::plane:
      return plane_surface(p);
    case Shape::box:
      return box_surface(p, collider.size);
    case Shape::capsule:
      return capsule_surface(p, collider.radius, collider.length);
    case Shape::cylinder:
      return cylinder_surface(p, collider.radius, collider.length);
  }
  return {};
}
}  // namespace

SurfacePoint surface_of(const Collider& collider, const Pose& pose, const Vec3& place) {
  const auto [distance, normal] =
      local_surface(collider, pose.rotation.transpose() * (place - pose.translation));
  return {distance, pose.rotation * normal};
}

}  // namespace muslin

#include "muslin/contact/vertices/gap.h"

#include <algorithm>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/parallel.h"

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
    case Shape::mesh:
      break;
  }
  return {kInfinity, Vec3::UnitY()};
}
}  // namespace

SurfacePoint surface_of(const Collider& collider, const Pose& pose, const Vec3& place) {
  if (!collider.enabled) return {kInfinity, Vec3::UnitY()};
  const auto [distance, normal] =
      local_surface(collider, pose.rotation.transpose() * (place - pose.translation));
  return {distance, pose.rotation * normal};
}

double width_of(const Collider& collider) {
  switch (collider.shape) {
    case Shape::sphere:
    case Shape::capsule:
      return 2 * collider.radius;
    case Shape::cylinder:
      return std::min(2 * collider.radius, collider.length);
    case Shape::box:
      return collider.size.minCoeff();
    case Shape::plane:
    case Shape::mesh:
      break;
  }
  return kInfinity;
}

Scalars measure_gaps(const Model& model, const Controls& controls, const State& state) {
  const std::vector<Pose> poses = placed_in(model, controls, state).poses;
  Scalars gaps = Scalars::Constant(model.vertex_count(), kInfinity);
  parallel_for(model.vertex_count(), [&](int v) {
    for (size_t c = 0; c < poses.size(); ++c) {
      const Collider& collider = model.colliders[c];
      const double distance = surface_of(collider, poses[c], state.positions.col(v)).distance;
      gaps[v] = std::min(gaps[v], distance - collider.margin - model.half_thickness[v]);
    }
  });
  return gaps;
}

}  // namespace muslin

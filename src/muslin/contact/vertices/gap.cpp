#include "muslin/contact/vertices/gap.h"

#include <algorithm>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/parallel.h"
#include "muslin/model/collider_shape.h"

namespace muslin {

SurfacePoint surface_of(const Collider& collider, const Pose& pose, const Vec3& place) {
  const ColliderShape& shape = shape_of(collider);
  if (!collider.enabled || !shape.surface) return {kInfinity, Vec3::UnitY()};
  const auto [distance, normal] =
      shape.surface(collider, pose.rotation.transpose() * (place - pose.translation));
  return {distance, pose.rotation * normal};
}

ColliderBound::ColliderBound(const Collider& collider, const Pose& pose)
    : centre_(pose.translation),
      up_(pose.rotation.col(1)),
      reach_(shape_of(collider).reach(collider)),
      is_plane_(collider.shape == Shape::plane) {}

double width_of(const Collider& collider) { return shape_of(collider).width(collider); }

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

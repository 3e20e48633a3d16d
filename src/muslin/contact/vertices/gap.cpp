#include "muslin/contact/vertices/gap.h"

#include <algorithm>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/contact/vertices/posed_surface.h"
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

ColliderBound::ColliderBound(const Collider& collider, const Pose& pose, double reach)
    : centre_(pose.translation),
      up_(pose.rotation.col(1)),
      reach_(reach),
      is_plane_(collider.shape == Shape::plane) {}

double width_of(const Collider& collider) { return shape_of(collider).width(collider); }

Scalars measure_gaps(const Model& model, const Controls& controls, const State& state) {
  const PlacedColliders placed = placed_in(model, controls, state);
  std::vector<PosedSurface> surfaces;
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c)
    surfaces.emplace_back(model.colliders[c], surface_in_shape(model, c, placed.shapes[c]), placed.poses[c]);
  Scalars gaps = Scalars::Constant(model.vertex_count(), kInfinity);
  parallel_for(model.vertex_count(), [&](int v) {
    for (size_t c = 0; c < surfaces.size(); ++c) {
      const Collider& collider = model.colliders[c];
      const double distance = surfaces[c].at(state.positions.col(v)).distance;
      gaps[v] = std::min(gaps[v], distance - collider.margin - model.half_thickness[v]);
    }
  });
  return gaps;
}

}  // namespace muslin

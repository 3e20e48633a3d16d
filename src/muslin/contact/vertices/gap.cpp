#include "muslin/contact/vertices/gap.h"

#include <algorithm>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/parallel.h"
#include "muslin/geometry/closed_surface.h"
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

std::shared_ptr<const ClosedSurface> surface_in_shape(const Model& model, int collider, const Points& shape) {
  const std::shared_ptr<const ClosedSurface>& at_start = model.collider_surfaces[collider];
  if (!at_start || !model.colliders[collider].frames) return at_start;
  return std::make_shared<const ClosedSurface>(at_start->moved(shape));
}

PosedSurface::PosedSurface(const Collider& collider, std::shared_ptr<const ClosedSurface> mesh,
                           const Pose& pose, std::optional<Points> change)
    : collider_(&collider),
      mesh_(std::move(mesh)),
      pose_(pose),
      bound_(collider, pose, mesh_ ? mesh_->reach() : shape_of(collider).reach(collider)),
      change_(std::move(change)) {}

SurfacePoint PosedSurface::at(const Vec3& place, int* guess) const {
  if (!mesh_ || !collider_->enabled) return surface_of(*collider_, pose_, place);
  const auto [distance, normal] = mesh_->at(in_its_frame(place), guess);
  return {distance, pose_.rotation * normal};
}

void PosedSurface::add_deformation(const Vec3& near, Vec3& place) const {
  if (change_) place += pose_.rotation * mesh_->mixed(*change_, in_its_frame(near));
}

double PosedSurface::largest_deformation() const {
  return change_ ? change_->colwise().norm().maxCoeff() : 0;
}

std::vector<PosedSurface> surfaces_after(const Model& model, const Input& input) {
  std::vector<PosedSurface> surfaces;
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Collider& collider = model.colliders[c];
    if (!model.collider_surfaces[c] || !collider.frames) {
      surfaces.emplace_back(collider, model.collider_surfaces[c], input.collider_end[c]);
      continue;
    }
    const Points shape = shape_at(collider, input.time_end);
    surfaces.emplace_back(collider, surface_in_shape(model, c, shape), input.collider_end[c],
                          shape - shape_at(collider, input.time_start));
  }
  return surfaces;
}

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

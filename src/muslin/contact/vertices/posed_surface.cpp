#include "muslin/contact/vertices/posed_surface.h"

#include "muslin/geometry/closed_surface.h"
#include "muslin/model/collider_shape.h"

namespace muslin {

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

SurfacePoint PosedSurface::at_mesh(const Vec3& place, int* guess) const {
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

}  // namespace muslin

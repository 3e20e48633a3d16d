#include "muslin/contact/vertices/posed_surface.h"

#include "muslin/geometry/closed_surface.h"
#include "muslin/model/collider_shape.h"

namespace muslin {

std::shared_ptr<const ClosedSurface> surface_in_shape(const Model& model, int collider, const Points& shape) {
  const std::shared_ptr<const ClosedSurface>& at_start = model.collider_surfaces[collider];
  if (!at_start || !model.colliders[collider].frames) return at_start;
  return std::make_shared<const ClosedSurface>(*at_start, shape);
}

Vec3 carried(const Pose& from, const Pose& to, const Vec3& place) {
  return to.rotation * (from.rotation.transpose() * (place - from.translation)) + to.translation;
}

PosedSurface::PosedSurface(const Collider& collider, std::shared_ptr<const ClosedSurface> mesh,
                           const Pose& pose, Step step)
    : collider_(&collider),
      mesh_(std::move(mesh)),
      pose_(pose),
      bound_(collider, pose, mesh_ ? mesh_->reach() : shape_of(collider).reach(collider)),
      step_(std::move(step)) {}

SurfacePoint PosedSurface::at_mesh(const Vec3& place) const { return turned(mesh_->at(in_its_frame(place))); }

SurfacePoint PosedSurface::at(const Vec3& place, double way, double before, NearbyFaces& nearby) const {
  return is_mesh() ? turned(mesh_->at(in_its_frame(place), way, before, nearby)) : at(place);
}

Vec3 PosedSurface::in_its_frame(const Vec3& place) const {
  return pose_.rotation.transpose() * (place - pose_.translation);
}

bool PosedSurface::looks_inwards(int triangle) const { return mesh_ && mesh_->side(triangle) < 0; }

Vec3 PosedSurface::carried(const Vec3& place, const Vec3& near) const {
  const Vec3 by_pose = carried_by_pose(place);
  return deforms() ? Vec3(by_pose + deformation(near)) : by_pose;
}

Vec3 PosedSurface::deformation(const Vec3& near) const {
  return pose_.rotation * mesh_->mixed(step_.change, in_its_frame(near));
}

double PosedSurface::largest_deformation() const {
  return deforms() ? step_.change.colwise().norm().maxCoeff() : 0;
}

std::vector<PosedSurface> surfaces_after(const Model& model, const Input& input) {
  std::vector<PosedSurface> surfaces;
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Collider& collider = model.colliders[c];
    Points shape(3, 0), change(3, 0);
    if (model.collider_surfaces[c] && collider.frames) {
      shape = shape_at(collider, input.time_end);
      change = shape - shape_at(collider, input.time_start);
    }
    surfaces.emplace_back(collider, surface_in_shape(model, c, shape), input.collider_end[c],
                          PosedSurface::Step{input.collider_start[c], std::move(change)});
  }
  return surfaces;
}

}  // namespace muslin

#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "muslin/contact/vertices/gap.h"
#include "muslin/model/input.h"

namespace muslin {

/// The surface of a collider that is a closed mesh, with its vertices there (3×n, in its frame) [m]; else
/// null.
std::shared_ptr<const ClosedSurface> surface_in_shape(const Model& model, int collider, const Points& shape);

/// A collider in a pose, as contact of vertices asks for it.
class PosedSurface {
 public:
  /// The collider must outlive it; `mesh`: the surface of one that is a mesh, in the frame of the pose, or
  /// null.
  PosedSurface(const Collider& collider, std::shared_ptr<const ClosedSurface> mesh, const Pose& pose)
      : PosedSurface(collider, std::move(mesh), pose, {}) {}
  /// `change`: what vertices of the mesh move by in the step that ends so, beside its pose (3×n) [m].
  PosedSurface(const Collider& collider, std::shared_ptr<const ClosedSurface> mesh, const Pose& pose,
               std::optional<Points> change);

  /// As surface_of; a mesh without a surface is infinitely far away. `guess` as ClosedSurface::at has it.
  SurfacePoint at(const Vec3& place, int* guess = nullptr) const {
    return mesh_ && collider_->enabled ? at_mesh(place, guess) : surface_of(*collider_, pose_, place);
  }
  /// As ColliderBound.
  bool is_farther(const Vec3& place, double distance) const { return bound_.is_farther(place, distance); }

  /// Adds to a place that is carried along by the pose what the mesh deforms by where it is nearest to `near`
  /// [m], in the world's frame.
  void add_deformation(const Vec3& near, Vec3& place) const;
  bool deforms() const { return change_.has_value(); }
  /// By a vertex in the step, at most [m].
  double largest_deformation() const;
  Vec3 in_its_frame(const Vec3& place) const {
    return pose_.rotation.transpose() * (place - pose_.translation);
  }

 private:
  SurfacePoint at_mesh(const Vec3& place, int* guess) const;

  const Collider* collider_;
  std::shared_ptr<const ClosedSurface> mesh_;
  Pose pose_;
  ColliderBound bound_;
  std::optional<Points> change_;
};

/// The colliders of a model at the end of a step; the model must outlive them.
std::vector<PosedSurface> surfaces_after(const Model& model, const Input& input);

}  // namespace muslin

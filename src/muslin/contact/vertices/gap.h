#pragma once
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "muslin/geometry/sdf.h"
#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// Signed distance [m] of a place to a convex collider in a pose, and the outward normal, both in the world's
/// frame. A collider that is not enabled is infinitely far away, and so is a mesh.
SurfacePoint surface_of(const Collider& collider, const Pose& pose, const Vec3& place);

/// Across, where a collider is narrowest [m]; infinite for planes and meshes.
double width_of(const Collider& collider);

/// What tells that places are far from a collider in a pose without looking at its shape: the ball about its
/// centre that it does not leave, or the plane that it is.
class ColliderBound {
 public:
  /// `reach`: from its centre to its farthest place [m].
  ColliderBound(const Collider& collider, const Pose& pose, double reach);

  /// Whether a place is more than `distance` [m] from the collider. False where the bound does not tell.
  bool is_farther(const Vec3& place, double distance) const {
    constexpr double kRounding = 1e-9;  // far more than products and a square root are off
    const Vec3 offset = place - centre_;
    if (is_plane_)
      return up_.dot(offset) > distance + kRounding * (std::abs(distance) + offset.cwiseAbs().sum());
    const double from_centre = reach_ + distance;
    return from_centre > 0 && offset.squaredNorm() > (1 + kRounding) * from_centre * from_centre;
  }

 private:
  Vec3 centre_, up_;
  double reach_;  ///< [m]
  bool is_plane_;
};

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

  /// As surface_of; a mesh without a surface is infinitely far away.
  /// `guess` as ClosedSurface::at has it.
  SurfacePoint at(const Vec3& place, int* guess = nullptr) const;
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
  const Collider* collider_;
  std::shared_ptr<const ClosedSurface> mesh_;
  Pose pose_;
  ColliderBound bound_;
  std::optional<Points> change_;
};

/// The colliders of a model at the end of a step; the model must outlive them.
std::vector<PosedSurface> surfaces_after(const Model& model, const Input& input);

/// The gap of every vertex to the nearest collider, beyond what is kept of thickness and margin [m]; infinite
/// without colliders.
Scalars measure_gaps(const Model& model, const Controls& controls, const State& state);
inline Scalars measure_gaps(const Model& model, const State& state) {
  return measure_gaps(model, model.script, state);
}

}  // namespace muslin

#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "muslin/contact/vertices/gap.h"
#include "muslin/model/input.h"

namespace muslin {

struct NearbyFaces;

/// The surface of a collider that is a closed mesh, with its vertices there (3×n, in its frame) [m]; else
/// null.
std::shared_ptr<const ClosedSurface> surface_in_shape(const Model& model, int collider, const Points& shape);

/// Where a place comes to that goes with a body from one pose to another.
Vec3 carried(const Pose& from, const Pose& to, const Vec3& place);

/// A collider in a pose, as contact of vertices asks for it.
class PosedSurface {
 public:
  /// The step that ends with the pose.
  struct Step {
    Pose start;     ///< the pose before
    Points change;  ///< what vertices of a mesh that deforms move by besides, in the pose's frame (3×n) [m]
  };

  /// The collider must outlive it; `mesh`: the surface of one that is a mesh, in the frame of the pose, or
  /// null. Without a step it has been where it is.
  PosedSurface(const Collider& collider, std::shared_ptr<const ClosedSurface> mesh, const Pose& pose)
      : PosedSurface(collider, std::move(mesh), pose, {pose, Points(3, 0)}) {}
  PosedSurface(const Collider& collider, std::shared_ptr<const ClosedSurface> mesh, const Pose& pose,
               Step step);

  /// As surface_of; a mesh without a surface is infinitely far away.
  SurfacePoint at(const Vec3& place) const {
    return is_mesh() ? at_mesh(place) : surface_of(*collider_, pose_, place);
  }
  /// The same of a place that lingers in the frame of the pose: see ClosedSurface.
  SurfacePoint at(const Vec3& place, double way, double before, NearbyFaces& nearby) const;
  /// As ColliderBound.
  bool is_farther(const Vec3& place, double distance) const { return bound_.is_farther(place, distance); }

  /// Where a place comes to in the step that goes with the surface that ends nearest to `near`.
  Vec3 carried(const Vec3& place, const Vec3& near) const;
  /// Where it comes to by the pose alone.
  Vec3 carried_by_pose(const Vec3& place) const { return muslin::carried(step_.start, pose_, place); }
  /// What the mesh deforms by in the step, where it is nearest to `near` [m], in the world's frame.
  Vec3 deformation(const Vec3& near) const;
  bool deforms() const { return step_.change.cols() > 0; }
  /// By a vertex of the mesh, at most [m].
  double largest_deformation() const;

  Vec3 in_its_frame(const Vec3& place) const;
  /// Whether the front of a triangle of a closed mesh looks inwards.
  bool looks_inwards(int triangle) const;

 private:
  bool is_mesh() const { return mesh_ && collider_->enabled; }
  SurfacePoint at_mesh(const Vec3& place) const;
  SurfacePoint turned(const SurfacePoint& found) const {
    return {found.distance, pose_.rotation * found.normal};
  }

  const Collider* collider_;
  std::shared_ptr<const ClosedSurface> mesh_;
  Pose pose_;
  ColliderBound bound_;
  Step step_;
};

/// The colliders of a model at the end of a step; the model must outlive them.
std::vector<PosedSurface> surfaces_after(const Model& model, const Input& input);

}  // namespace muslin

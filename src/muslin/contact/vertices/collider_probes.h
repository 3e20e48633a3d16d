#pragma once
#include <cstdint>
#include <vector>

#include "muslin/contact/vertices/posed_surface.h"
#include "muslin/geometry/closed_surface.h"

namespace muslin {

/// The colliders about vertices in a step, and what earlier steps tell of how far they are from meshes: a
/// vertex is no nearer than it was, but for its way in the mesh's frame and what the mesh deforms by since.
/// That spares most searches, and changes no bit.
class ColliderProbes {
 public:
  /// A step begins, or is gone on with. The model must outlive the step.
  void begin(const Model& model, const Input& input);

  int count() const { return static_cast<int>(surfaces_.size()); }
  /// Of a collider at the end of the step.
  const PosedSurface& operator[](int collider) const { return surfaces_[collider]; }

  /// Whether a place of a vertex is surely more than `distance` [m] from a collider.
  bool is_farther(int collider, int vertex, const Vec3& place, double distance) const {
    if (surfaces_[collider].is_farther(place, distance)) return true;
    return !known_[collider].probes.empty() && is_known_farther(collider, vertex, place, distance);
  }

  /// PosedSurface::at of a place of a vertex; each vertex is asked for by one thread.
  SurfacePoint at(int collider, int vertex, const Vec3& place) {
    return known_[collider].probes.empty() ? surfaces_[collider].at(place) : probe(collider, vertex, place);
  }

 private:
  bool is_known_farther(int collider, int vertex, const Vec3& place, double distance) const;
  SurfacePoint probe(int collider, int vertex, const Vec3& place);

  /// Where a vertex was when its distance was last looked for, in the frame of the collider.
  struct Probe {
    Vec3 place = Vec3::Zero();
    double distance = -kInfinity;  ///< [m], and what the mesh had deformed by until then
    NearbyFaces nearby;
  };
  struct OfCollider {
    std::vector<Probe> probes;  ///< one a vertex; none unless it is a mesh
    double deformed = 0;        ///< by a vertex of the mesh, at most, since probes were made [m]
  };

  std::uint64_t model_revision_ = 0;
  double time_start_ = 0, time_end_ = 0;
  std::vector<Pose> poses_start_, poses_end_;
  std::vector<PosedSurface> surfaces_;
  std::vector<OfCollider> known_;
};

}  // namespace muslin

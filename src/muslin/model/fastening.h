#pragma once
#include <memory>
#include <vector>

#include "muslin/geometry/bvh.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// Fastens places to a collider as it is at one instant. One that deforms carries each place by the triangle
/// that is nearest then: the point of it that is nearest, and an offset that turns with the triangle. Others
/// carry places as a whole.
class Fastener {
 public:
  /// The collider must outlive it; `pose` and `time` [s] say where it is and what shape it has.
  Fastener(const Collider& collider, int number, const Pose& pose, double time);

  Fastening fasten(const Vec3& place) const;
  /// From the surface [m], unsigned; of a mesh.
  double distance(const Vec3& place) const;

 private:
  struct Nearest {
    int triangle = -1;
    double distance = kInfinity;
    Vec3 weights = Vec3::Zero();
  };
  Nearest nearest(const Vec3& local) const;
  Vec3 in_its_frame(const Vec3& place) const;

  const Collider& collider_;
  int number_;
  Pose pose_;
  Points shape_{3, 0};
  std::unique_ptr<const BoxTree> tree_;  ///< of the triangles of a mesh
};

/// Where vertices are that motions move and colliders carry, when these have such poses at a time [s]; 3×n.
Points places_of(const Model& model, const Controls& controls, const std::vector<PinnedVertex>& pins,
                 const std::vector<Pose>& poses, double time);

/// Where places are then that are fastened to colliders [m], 3×n.
Points places_of(const Model& model, const std::vector<Fastening>& fastenings, const std::vector<Pose>& poses,
                 double time);

/// PinnedVertex::place of a vertex that its motion has at `place` [m] at a time [s].
Vec3 place_at_start(const Motion& motion, const Vec3& center, const Vec3& place, double time);

/// Whether what holds a vertex ever goes anywhere.
bool moves(const Model& model, const Controls& controls, const PinnedVertex& pin);

}  // namespace muslin

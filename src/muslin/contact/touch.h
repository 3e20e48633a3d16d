#pragma once
#include <functional>
#include <vector>

#include "muslin/linear/filter.h"
#include "muslin/model/input.h"

namespace muslin {

/// Contacts with colliders as constraints of a linear step, in the manner of [Baraff 1998, §5.4]: a vertex
/// that touches moves along the surface only, and with the surface while it sticks; one that slides is
/// dragged by Coulomb's friction, linear about the latest slip. A step is solved several times; in between,
/// `update` looks at the solution and its constraint forces: who is inside begins to touch, who is pulled
/// lets go, who is held by more than friction allows slides for the rest of the step.
class TouchSet {
 public:
  /// Friction of a sliding vertex: −block · (displacement − with_surface) [N].
  struct Drag {
    int vertex;
    Mat3 block;         ///< [N/m], along the surface
    Vec3 with_surface;  ///< displacement of the surface [m]
  };

  /// `model`, `input` and `start` (positions at the beginning of a step of h seconds) must outlive it.
  TouchSet(const Model& model, const Input& input, const Points& start, double h);

  /// Adds the contacts' constraints on the displacement.
  void hold(Filter& filter) const;

  std::vector<Drag> drags() const;

  /// Mends the set after a solution: displacement [m] and the constraint forces in it [N], 3×n; `stiffness`
  /// is a measure of the system's diagonal [N/m] at a vertex. Returns how many contacts began, ended or slid.
  int update(const Points& displacement, const Points& constraint_force,
             const std::function<double(int vertex)>& stiffness);

  int contacts() const;

 private:
  enum class Phase { apart, sticks, slides, released };
  struct Touch {
    Phase phase = Phase::apart;
    double coefficient = 0;  ///< of friction
    Vec3 normal = Vec3::Zero();
    Vec3 with_surface = Vec3::Zero();  ///< displacement that keeps the vertex on its place on the surface [m]
    double drag = 0;                   ///< [N/m]
    bool touches() const { return phase == Phase::sticks || phase == Phase::slides; }
  };

  bool begin(Touch& touch, int vertex, const Vec3& displacement) const;
  bool mend(Touch& touch, const Vec3& displacement, const Vec3& force, double stiffness) const;

  const Model& model_;
  const Input& input_;
  const Points& start_;
  double least_slip_;  ///< [m] below which friction is viscous
  std::vector<Touch> touches_;
};

}  // namespace muslin

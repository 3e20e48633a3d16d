#pragma once
#include <vector>

#include "muslin/contact/vertices/posed_surface.h"
#include "muslin/linear/filter.h"
#include "muslin/model/input.h"

namespace muslin {

/// Contacts with colliders as constraints of a linear step, in the manner of [Baraff 1998, §5.4]: a vertex
/// that touches moves along the surface only, and with the surface while it sticks; against one that slides
/// acts Coulomb's friction, a force of the size and direction of the latest solution. A step is solved
/// several times; in between, `update` looks at the solution and its constraint forces: who is inside begins
/// to touch, who is pulled lets go, who is held by more than friction allows slides, and who would be driven
/// back by friction sticks for the rest of the step.
class TouchSet {
 public:
  /// Friction of a sliding vertex: force − block · (displacement − with_surface) [N].
  struct Drag {
    int vertex;
    Vec3 force;         ///< [N] against the latest slip
    Mat3 block;         ///< [N/m] along the surface, across the latest slip
    Vec3 with_surface;  ///< displacement of the surface [m]
  };

  /// `model`, `input` and `start` (positions at the beginning of a step of h seconds) must outlive it.
  TouchSet(const Model& model, const Input& input, const Points& start, double h);

  /// Adds the contacts' constraints on the displacement.
  void hold(Filter& filter) const;

  std::vector<Drag> drags() const;

  /// Mends the set after a solution: displacement [m] and the constraint forces in it [N], 3×n. Returns how
  /// many contacts are others now.
  int update(const Points& displacement, const Points& constraint_force);

  int contacts() const;

 private:
  enum class Phase { apart, sticks, slides, driven_back, released };
  struct Touch {
    Phase phase = Phase::apart;
    double coefficient = 0;  ///< of friction
    Vec3 normal = Vec3::Zero();
    Vec3 with_surface = Vec3::Zero();  ///< displacement that keeps the vertex on its place on the surface [m]
    double friction = 0;               ///< [N] while it slides
    Vec3 slip = Vec3::Zero();          ///< of the latest solution, along the surface [m]
    bool sticks() const { return phase == Phase::sticks || phase == Phase::driven_back; }
    bool touches() const { return sticks() || phase == Phase::slides; }
  };

  bool begin(Touch& touch, int vertex, const Vec3& displacement) const;
  bool mend(Touch& touch, const Vec3& displacement, const Vec3& force) const;

  const Model& model_;
  const Input& input_;
  const Points& start_;
  std::vector<PosedSurface> surfaces_;  ///< of the colliders at the end of the step
  double least_slip_;                   ///< [m] below which friction is viscous
  std::vector<Touch> touches_;
};

}  // namespace muslin

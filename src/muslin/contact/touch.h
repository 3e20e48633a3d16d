#pragma once
#include <optional>
#include <vector>

#include "muslin/linear/filter.h"
#include "muslin/model/input.h"

namespace muslin {

/// Contacts with colliders as constraints of a linear step, in the manner of [Baraff 1998, §5.4]: a vertex that
/// touches moves along the surface only, or with the surface if it sticks. A step is solved again and again; in
/// between, `update` looks at the solution and its constraint forces and mends the set: who is inside begins to
/// touch, who is pulled lets go, who is held by more than friction allows slides, and who would be dragged
/// along by friction sticks.
class TouchSet {
 public:
  /// `model`, `input` and `start` (positions at the beginning of the step) must outlive it.
  TouchSet(const Model& model, const Input& input, const Points& start);

  /// Adds the contacts' constraints on the displacement.
  void hold(Filter& filter) const;

  /// Adds the friction of sliding vertices to a force [N].
  void add_friction(Points& force) const;

  /// Mends the set after a solution: displacement [m] and the constraint forces in it [N], 3×n. Returns how many
  /// contacts changed.
  int update(const Points& displacement, const Points& constraint_force);

  int contacts() const;

 private:
  struct Touch {
    double coefficient;  ///< of friction
    Vec3 normal;
    Vec3 displacement;  ///< of a vertex that sticks [m]; along the normal it is that of all that touch
    bool sticks;
    Vec3 friction;  ///< [N] while it slides
  };
  static constexpr double kSameFriction = 0.05;  ///< relative change of friction that needs no new solution

  std::optional<Touch> begin_touch(int vertex, const Vec3& displacement) const;
  static bool mend(std::optional<Touch>& touch, const Vec3& displacement, const Vec3& force);

  const Model& model_;
  const Input& input_;
  const Points& start_;
  std::vector<std::optional<Touch>> touches_;  ///< one a vertex
};

}  // namespace muslin

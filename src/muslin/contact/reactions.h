#pragma once
#include <vector>

#include "muslin/model/model.h"
#include "muslin/model/state.h"

namespace muslin {

/// What the pins of one group hold.
struct PinReaction {
  int vertices = 0;              ///< held along some axis
  Vec3 reaction = Vec3::Zero();  ///< of the pins on the cloth, along held axes [N]
};

/// What cloth does to one collider.
struct ColliderLoad {
  int vertices = 0;              ///< of the cloth that lies on it: those whose force is counted
  Vec3 normal = Vec3::Zero();    ///< on the collider, along its normals [N]
  Vec3 friction = Vec3::Zero();  ///< on the collider, at right angles to its normals [N]
};

/// Forces between the cloth and what it hangs on or lies on.
struct Reactions {
  std::vector<PinReaction> pins;        ///< one a pin of the scene, cloth after cloth; last, what hands hold
  std::vector<ColliderLoad> colliders;  ///< one a collider of the scene
  Points vertices;  ///< 3×n [N], in the model's order: of pins and contact on every vertex
};

/// The forces that pins and contact must have had in a step, by Newton's second law at every vertex: m a less
/// weight, air, elastic forces, pulls and damping by the air. The elastic forces are those of the step's end;
/// so the sums are exact for cloth at rest, and of first order in the step while it moves. What the solver
/// left unbalanced (StepReport::residual) and the damping of the material are counted, too; over a piece of
/// cloth the latter sums to zero.
///
/// A force along a held axis is the pins'; all others are contact's, and count for the collider nearest to
/// their vertex among those that cloth lies on, so that a pile weighs on what is below it, as forces of cloth
/// on cloth sum to zero. Where cloth lies on several colliders *and* on itself, parts are told apart by that
/// rule alone.
///
/// `acceleration`: 3×n [m/s²], the mean over the step; empty: none. `h`: length of the step [s].
Reactions measure_reactions(const Model& model, const Controls& controls, const State& state,
                            const Points& acceleration, double h);

/// Tension of every triangle, its largest principal value [N/m]; negative where it is pressed in all
/// directions. As Model::triangles has them. It is the mean stress of springs and triangle elements about the
/// corners, by the virial theorem: Σ x ∂E/∂xᵀ over their elements by the present area, of which a vertex has
/// its share [Allen and Tildesley 1987, §2.4]. Bending is left out. Of a strip of spring or of triangles in
/// uniform tension it is the pull over the width.
Scalars triangle_tension(const Model& model, const Points& positions);

}  // namespace muslin

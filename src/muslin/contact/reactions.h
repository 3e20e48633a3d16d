#pragma once
#include "muslin/model/model.h"
#include "muslin/model/reactions.h"
#include "muslin/model/state.h"

namespace muslin {

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

/// The same without those of vertices. Where nothing lies on colliders, the elastic forces of pinned vertices
/// are all that it takes.
Reactions measure_loads(const Model& model, const Controls& controls, const State& state,
                        const Points& acceleration, double h);

/// Tension of every triangle, its largest principal value [N/m]; negative where it is pressed in all
/// directions. As Model::triangles has them. It is the mean stress of springs and triangle elements about the
/// corners, by the virial theorem: Σ x ∂E/∂xᵀ over their elements by the present area, of which a vertex has
/// its share [Allen and Tildesley 1987, §2.4]. Bending is left out. Of a strip of springs or triangles in
/// uniform tension it is the pull over the width.
Scalars triangle_tension(const Model& model, const Points& positions);

}  // namespace muslin

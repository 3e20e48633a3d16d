#pragma once
#include "muslin/contact/vertices/collider_probes.h"
#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/report.h"

namespace muslin {

/// Contact that looks at vertices at the end of a step does not see what is faster than it is wide. Enters in
/// the report (`jumped`, `jumped_collider`) how many vertices came from one side of a collider to another
/// within the step: their straight way, as the collider sees it, begins and ends outside and leaves by a side
/// that faces away from the one it entered by. Planes are not looked at, as they have no other side, and of
/// meshes nothing that is thinner than a 256th of the way. Ways past an edge of a mesh do not count.
void find_jumped(const Model& model, const Input& input, const Points& start, ColliderProbes& probes,
                 const Points& end, StepReport& report);

}  // namespace muslin

#pragma once
#include "muslin/model/input.h"
#include "muslin/model/model.h"
#include "muslin/model/report.h"

namespace muslin {

/// Contact that looks at vertices at the end of a step does not see what is faster than it is wide. Enters in
/// the report (`jumped`, `jumped_collider`) how many vertices came from one side of a collider to another
/// within the step: their straight way, as the collider sees it, begins and ends outside and leaves by a side
/// that faces away from the one it entered by. Planes and meshes are not looked at: planes have no other
/// side, and contact of vertices does not see meshes.
void find_jumped(const Model& model, const Input& input, const Points& start, const Points& end,
                 StepReport& report);

}  // namespace muslin

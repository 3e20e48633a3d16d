#pragma once
#include "muslin/compare/reference_step.h"

namespace muslin {

/// One step of a solver from a state, iterate by iterate. The state stays as it was.
Trace trace_step(const Model& model, Solver& solver, const State& before, const Input& input, double h,
                 ReferenceStep& reference);

}  // namespace muslin

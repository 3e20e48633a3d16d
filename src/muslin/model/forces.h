#pragma once
#include "muslin/model/model.h"
#include "muslin/model/state.h"

namespace muslin {

/// Whether the air moves cloth at all; still air does, too.
bool blows(const Wind& wind);

/// Whether the air itself moves, or presses.
bool is_windy(const Wind& wind);

/// Gravity, wind and further forces as an acceleration a vertex [m/s²], 3×n, for a step of h seconds.
/// Aerodynamic forces are weakened so that a step brings a triangle at most to the speed of the air, never
/// beyond it.
Points external_acceleration(const Model& model, const Controls& controls, const State& state, double h);

}  // namespace muslin

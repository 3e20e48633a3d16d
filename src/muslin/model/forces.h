#pragma once
#include "muslin/model/model.h"
#include "muslin/model/state.h"

namespace muslin {

/// Velocity of the air at a place and time [m/s]: the mean wind and seeded, divergence-free gusts that it
/// carries along (frozen turbulence, Taylor 1938).
Vec3 air_velocity(const Wind& wind, std::uint64_t seed, const Vec3& place, double time);

/// Gravity and wind as an acceleration a vertex [m/s²], 3×n, for a step of h seconds. Aerodynamic forces are
/// weakened so that a step brings a triangle at most to the speed of the air, never beyond it.
Points external_acceleration(const Model& model, const State& state, double h);

}  // namespace muslin

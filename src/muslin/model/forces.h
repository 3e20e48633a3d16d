#pragma once
#include <cstdint>

#include "muslin/model/model.h"
#include "muslin/model/state.h"

namespace muslin {

/// Whether the air moves cloth at all; still air does, too.
bool blows(const Wind& wind);

/// Whether the air itself moves, or presses.
bool is_windy(const Wind& wind);

/// Velocity of the air [m/s]: the mean wind and seeded, divergence-free gusts that it carries along (frozen
/// turbulence, Taylor 1938).
class AirFlow {
 public:
  AirFlow(const Wind& wind, std::uint64_t seed);
  Vec3 velocity(const Vec3& place, double time) const;

 private:
  static constexpr int kWaves = 8;  // part of the weather: other numbers blow otherwise
  using Numbers = double[kWaves];   // one a wave

  Vec3 mean_;
  bool gusts_ = false;
  Numbers wave_vector_[3];  // [1/m]
  Numbers rate_;            // [1/s], so that gusts change in still air too
  Numbers phase_;
  Vec3 amplitude_[kWaves];  // [m/s], across the wave vector
};

/// Gravity, wind and further forces as an acceleration a vertex [m/s²], 3×n, for a step of h seconds.
/// Aerodynamic forces are weakened so that a step brings a triangle at most to the speed of the air, never
/// beyond it.
Points external_acceleration(const Model& model, const Controls& controls, const State& state, double h);

}  // namespace muslin

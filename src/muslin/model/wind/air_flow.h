#pragma once
#include <cstdint>

#include "muslin/core/types.h"
#include "muslin/model/scene.h"
#include "muslin/model/wind/wind_kernels.h"

namespace muslin {

/// Velocity of the air [m/s]: the mean wind and seeded, divergence-free gusts that it carries along (frozen
/// turbulence, Taylor 1938).
class AirFlow {
 public:
  AirFlow(const Wind& wind, std::uint64_t seed);

  Vec3 velocity(const Vec3& place, double time) const;
  const AirWaves& waves() const { return waves_; }

 private:
  AirWaves waves_;
};

/// What moves triangles in the wind, as wide as this processor can.
const WindKernels& wind_kernels();

}  // namespace muslin

#include "muslin/model/wind/air_flow.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "muslin/core/maths.h"
#include "muslin/core/random.h"
#include "muslin/core/simd.h"

namespace muslin {

namespace {

// A unit vector whose direction is drawn evenly from the sphere.
Vec3 random_direction(std::uint64_t seed, std::uint64_t id) {
  const double z = 2 * random_unit(seed, id, 0) - 1;
  const double angle = 2 * std::numbers::pi * random_unit(seed, id, 1);
  const double r = std::sqrt(1 - z * z);
  return {r * maths::cos(angle), z, r * maths::sin(angle)};
}

}  // namespace

const WindKernels& wind_kernels() {
  return widest_of(
      KernelsBySimd<WindKernels>{plain_wind_kernels(), avx2_wind_kernels(), avx512_wind_kernels()});
}

AirFlow::AirFlow(const Wind& wind, std::uint64_t seed) : waves_{} {
  waves_.blow = wind.gust != 0;
  for (int axis = 0; axis < 3; ++axis) waves_.mean[axis] = wind.velocity[axis];
  if (!waves_.blow) return;
  for (int w = 0; w < AirWaves::kCount; ++w) {
    // Wavelengths from the gust length down to a quarter of it; a transverse wave has no divergence.
    const double wavelength = wind.gust_length / (1 + 3.0 * w / (AirWaves::kCount - 1));
    const Vec3 wave_vector = 2 * std::numbers::pi / wavelength * random_direction(seed, 3 * w);
    const Vec3 sideways = wave_vector.cross(random_direction(seed, 3 * w + 1)).normalized();
    const Vec3 amplitude = wind.gust * std::sqrt(2.0 / AirWaves::kCount) * sideways;
    for (int axis = 0; axis < 3; ++axis) {
      waves_.wave_vector[axis][w] = wave_vector[axis];
      waves_.amplitude[axis][w] = amplitude[axis];
    }
    waves_.rate[w] = wave_vector.norm() * wind.gust;
    waves_.phase[w] = 2 * std::numbers::pi * random_unit(seed, 3 * w + 2, 0);
  }
}

Vec3 AirFlow::velocity(const Vec3& place, double time) const {
  Vec3 velocity;
  wind_kernels().flow(waves_, time, place.data(), 1, velocity.data());
  return velocity;
}

}  // namespace muslin

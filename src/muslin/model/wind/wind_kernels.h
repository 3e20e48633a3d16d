#pragma once

// The air and what it does to triangles, several at once. Plain numbers and pointers alone, as what these
// files include is compiled for processors that the rest of the library may not meet.

namespace muslin {

/// A mean wind and waves that it carries along: at place x and time t each adds its amplitude times
/// sin(k · (x − mean t) + rate t + phase).
struct AirWaves {
  static constexpr int kCount = 8;  ///< part of the weather: other numbers blow otherwise
  using Numbers = double[kCount];   ///< one a wave

  double mean[3];          ///< [m/s]
  bool blow;               ///< else the mean is all there is
  Numbers wave_vector[3];  ///< k [1/m]
  Numbers rate;            ///< [1/s], so that gusts change in still air too
  Numbers phase;
  Numbers amplitude[3];  ///< [m/s], across the wave vector
};

/// Triangles in the wind.
struct WindJob {
  AirWaves air;
  double time;  ///< [s]
  double h;     ///< a step that is no longer than that brings no triangle beyond the air's speed [s]
  double density, drag, lift;  ///< of the air [kg/m³], and of the fabric
  const double* positions;     ///< three numbers a vertex [m]
  const double* velocities;    ///< the same [m/s]
  const int* triangles;        ///< three vertices each
  const double* mass;          ///< one a triangle [kg]
};

struct WindKernels {
  /// Velocity of the air [m/s] at places [m], three numbers each.
  void (*flow)(const AirWaves& air, double time, const double* places, int count, double* velocities);
  /// The force of the air on each vertex of the triangles first … last−1 [N], three numbers each.
  void (*forces)(const WindJob& job, int first, int last, double* forces);
};

// One file each; null where it was not compiled for such processors.
const WindKernels* plain_wind_kernels();
const WindKernels* avx2_wind_kernels();
const WindKernels* avx512_wind_kernels();

}  // namespace muslin

#pragma once
#include <cstdint>

// Loops over all vertices at the two ends of a step, compiled once for every width of vectors, as kernels.h.
// Numbers of vertices do not meet: all widths have the same bits.

namespace muslin {

inline constexpr int kTetherLanes = 8;  ///< vertices of a group: the widest vector

/// Tethers of vertices in groups: tether k of vertex kTetherLanes g + l is number (2 g + k) kTetherLanes + l.
struct TetherJob {
  float* place;              ///< as in ColourJob
  const float* anchors;      ///< [m] places of pins, x y z 0 each, copied: whoever pulls moves no pin
  const std::int32_t* pins;  ///< where an anchor begins in `anchors`
  const float* lengths;      ///< [m]; too long to be squared: none
  int first, groups;         ///< groups first … first + groups − 1
};

struct StepKernels {
  /// y = (x + step · v) + fall; three numbers a vertex.
  void (*predict)(const double* x, const double* v, double step, const double* fall, int vertices, double* y);
  /// v = inverse_h (y − x); 0 if all of it is finite, else no number.
  double (*carry)(const double* x, const double* y, double inverse_h, int vertices, double* v);
  /// place = x − origin in float, four numbers a vertex, of which the last is 0.
  void (*load)(const double* x, const double* origin, int vertices, float* place);
  /// x += place − (x − origin in float): held vertices, whose float is the same as before, stay to the bit.
  void (*store)(const float* place, const double* origin, int vertices, double* x);
  /// Moves vertices that are too far from their pins onto the sphere about them, for one after the other.
  void (*pull)(const TetherJob& job);
};

/// Those in use: the widest of core/simd.h.
const StepKernels& chosen_step_kernels();

// One file each; null where it was not compiled for such processors.
const StepKernels* plain_step_kernels();
const StepKernels* avx2_step_kernels();

}  // namespace muslin

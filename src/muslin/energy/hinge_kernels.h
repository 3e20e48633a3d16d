#pragma once

// How hinges fold, several at once. Plain pointers alone, as what these files include is compiled for
// processors that the rest of the library may not meet.

namespace muslin {

/// Hinges of a cloth.
struct HingeJob {
  const double* x;                      ///< where vertices are, three numbers each [m]
  const int* vertices;                  ///< four a hinge: p, q, a, b (Fold)
  double (*atan2)(double y, double x);  ///< of single numbers
};

/// Of hinges first … last−1, with the bits of Fold.
struct HingeKernels {
  /// θ [rad], one a hinge.
  void (*angles)(const HingeJob& job, int first, int last, double* angles);
  /// A, B [1/m] and α, β, θ: nine numbers a hinge.
  void (*folds)(const HingeJob& job, int first, int last, double* folds);
};

/// Those in use.
const HingeKernels& hinge_kernels();

// One file each; null where it was not compiled for such processors.
const HingeKernels* plain_hinge_kernels();
const HingeKernels* avx2_hinge_kernels();

}  // namespace muslin

#include "muslin/solver/position/kernels.h"

#include "muslin/core/simd.h"
#include "muslin/solver/position/colour_kernels.h"
#include "muslin/solver/position/grid_kernels.h"
#include "muslin/solver/position/step_kernels.h"

namespace muslin {

const Kernels& chosen_kernels() {
  return widest_of(KernelsBySimd<Kernels>{plain_kernels(), avx2_kernels(), avx512_kernels()});
}

const ColourKernels& chosen_colour_kernels() {
  return widest_of(
      KernelsBySimd<ColourKernels>{plain_colour_kernels(), avx2_colour_kernels(), avx2_colour_kernels()});
}

const StepKernels& chosen_step_kernels() {
  return widest_of(
      KernelsBySimd<StepKernels>{plain_step_kernels(), avx2_step_kernels(), avx2_step_kernels()});
}

const GridKernels& chosen_grid_kernels() {
  return widest_of(
      KernelsBySimd<GridKernels>{plain_grid_kernels(), avx2_grid_kernels(), avx2_grid_kernels()});
}

}  // namespace muslin

#include "muslin/solver/position/chain_kernels.h"
#include "muslin/solver/position/element_kernels.h"
#include "muslin/solver/position/grid_loops.h"
#include "muslin/solver/position/vertex_loops.h"

namespace muslin {

// Four lanes are what SSE2, Neon and WebAssembly have; the compiler cuts them up where there are fewer.
const Kernels* plain_kernels() {
  static constexpr Kernels kernels = make_kernels<4, 2, 2>("plain");
  return &kernels;
}

const ColourKernels* plain_colour_kernels() {
  static constexpr ColourKernels kernels = make_colour_kernels<4>("plain");
  return &kernels;
}

const StepKernels* plain_step_kernels() {
  static constexpr StepKernels kernels = make_step_kernels<4>();
  return &kernels;
}

const GridKernels* plain_grid_kernels() {
  static constexpr GridKernels kernels = make_grid_kernels<4>();
  return &kernels;
}

}  // namespace muslin

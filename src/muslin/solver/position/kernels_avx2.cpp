#include "muslin/solver/position/chain_kernels.h"
#include "muslin/solver/position/element_kernels.h"
#include "muslin/solver/position/grid_loops.h"
#include "muslin/solver/position/vertex_loops.h"

namespace muslin {

const Kernels* avx2_kernels() {
#ifdef __AVX2__
  static constexpr Kernels kernels = make_kernels<8, 2, 2>("avx2");
  return &kernels;
#else
  return nullptr;
#endif
}

const ColourKernels* avx2_colour_kernels() {
#ifdef __AVX2__
  static constexpr ColourKernels kernels = make_colour_kernels<8>("avx2");
  return &kernels;
#else
  return nullptr;
#endif
}

const StepKernels* avx2_step_kernels() {
#ifdef __AVX2__
  static constexpr StepKernels kernels = make_step_kernels<8>();
  return &kernels;
#else
  return nullptr;
#endif
}

const GridKernels* avx2_grid_kernels() {
#ifdef __AVX2__
  static constexpr GridKernels kernels = make_grid_kernels<8>();
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace muslin

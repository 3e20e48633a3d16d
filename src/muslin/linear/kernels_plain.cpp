#include "muslin/linear/row_lanes.h"
#include "muslin/linear/smoother_lanes.h"

namespace muslin {

// Four lanes are what SSE2, Neon and WebAssembly have: eight rows are two halves.
const SmootherKernels* plain_smoother_kernels() {
  static constexpr SmootherKernels kernels = make_smoother_kernels<4>();
  return &kernels;
}

const RowKernels* plain_row_kernels() {
  static constexpr RowKernels kernels = make_row_kernels<2>();
  return &kernels;
}

}  // namespace muslin

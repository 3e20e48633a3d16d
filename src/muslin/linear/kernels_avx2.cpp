#include "muslin/linear/row_lanes.h"
#include "muslin/linear/smoother_lanes.h"

namespace muslin {

const SmootherKernels* avx2_smoother_kernels() {
#ifdef __AVX2__
  static constexpr SmootherKernels kernels = make_smoother_kernels<8>();
  return &kernels;
#else
  return nullptr;
#endif
}

const RowKernels* avx2_row_kernels() {
#ifdef __AVX2__
  static constexpr RowKernels kernels = make_row_kernels<4>();
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace muslin

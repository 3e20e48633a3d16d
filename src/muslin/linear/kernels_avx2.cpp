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

}  // namespace muslin

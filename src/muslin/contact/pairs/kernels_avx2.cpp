#include "muslin/contact/pairs/near_lanes.h"

namespace muslin {

const NearKernels* avx2_near_kernels() {
#ifdef __AVX2__
  static constexpr NearKernels kernels = make_near_kernels<8>();
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace muslin

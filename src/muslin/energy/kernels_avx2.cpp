#include "muslin/energy/hinge_lanes.h"

namespace muslin {

const HingeKernels* avx2_hinge_kernels() {
#ifdef __AVX2__
  static constexpr HingeKernels kernels = make_hinge_kernels<4>();
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace muslin

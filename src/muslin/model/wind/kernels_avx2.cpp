#include "muslin/model/wind/wind_lanes.h"

namespace muslin {

const WindKernels* avx2_wind_kernels() {
#ifdef __AVX2__
  static constexpr WindKernels kernels = make_wind_kernels<4>();
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace muslin

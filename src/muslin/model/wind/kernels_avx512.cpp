#include "muslin/model/wind/wind_lanes.h"

namespace muslin {

const WindKernels* avx512_wind_kernels() {
#ifdef __AVX512F__
  static constexpr WindKernels kernels = make_wind_kernels<8>();
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace muslin

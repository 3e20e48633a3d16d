#include "muslin/model/wind/wind_lanes.h"

namespace muslin {

const WindKernels* plain_wind_kernels() {
  static constexpr WindKernels kernels = make_wind_kernels<2>();
  return &kernels;
}

}  // namespace muslin

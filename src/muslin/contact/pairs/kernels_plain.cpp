#include "muslin/contact/pairs/near_lanes.h"

namespace muslin {

const NearKernels* plain_near_kernels() {
  static constexpr NearKernels kernels = make_near_kernels<4>();
  return &kernels;
}

}  // namespace muslin

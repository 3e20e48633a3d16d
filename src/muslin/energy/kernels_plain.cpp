#include "muslin/energy/hinge_lanes.h"

namespace muslin {

const HingeKernels* plain_hinge_kernels() {
  static constexpr HingeKernels kernels = make_hinge_kernels<2>();
  return &kernels;
}

}  // namespace muslin

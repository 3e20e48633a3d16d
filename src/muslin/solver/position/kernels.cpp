#include "muslin/solver/position/kernels.h"

#include "muslin/core/simd.h"

namespace muslin {

const Kernels& chosen_kernels() {
  return widest_of(KernelsBySimd<Kernels>{plain_kernels(), avx2_kernels(), avx512_kernels()});
}

}  // namespace muslin

#include "muslin/solver/position/chain_kernels.h"

namespace muslin {

const Kernels* avx512_kernels() {
#ifdef __AVX512F__
  static constexpr Kernels kernels = make_kernels<16, 2, 1>("avx512");
  return &kernels;
#else
  return nullptr;
#endif
}

}  // namespace muslin

#include "muslin/solver/position/chain_kernels.h"

namespace muslin {

// Four lanes are what SSE2, Neon and WebAssembly have; the compiler cuts them up where there are fewer.
const Kernels* plain_kernels() {
  static constexpr Kernels kernels = make_kernels<4, 2, 2>("plain");
  return &kernels;
}

}  // namespace muslin

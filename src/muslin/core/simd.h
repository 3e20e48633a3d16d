#pragma once
#include <array>

// Kernels that are compiled once for every width of vectors, in files of their own (cmake/simd.cmake). Their
// lanes are chains or rows of their own, so that the width never changes a sum: all have the same bits.

namespace muslin {

/// Instruction sets that kernels are compiled for, narrowest first. `plain` is what every processor has.
enum class Simd { plain, avx2, avx512 };

/// One kernel table an instruction set, in their order; null where none was compiled for it.
template <class Kernels>
using KernelsBySimd = std::array<const Kernels*, 3>;

/// The widest that kernels may use: what this processor runs, or less if a test asks for less.
Simd widest_simd();
void limit_simd(Simd widest);

/// The kernels in use.
template <class Kernels>
const Kernels& widest_of(const KernelsBySimd<Kernels>& kernels) {
  for (int k = static_cast<int>(widest_simd()); k > 0; --k)
    if (kernels[k]) return *kernels[k];
  return *kernels[0];
}

}  // namespace muslin

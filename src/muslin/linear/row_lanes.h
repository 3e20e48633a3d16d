#pragma once
#include "muslin/core/simd_register.h"
#include "muslin/linear/row_kernels.h"

// Included by one file for each instruction set, which instantiates it for its width. No plain inline
// functions: the linker would keep one copy for all processors.

namespace muslin {

/// A column of three in W doubles: two, and one by itself; or three, and a zero.
template <int W>
struct ColumnLanes {
  using Lanes = typename DoublesOf<W>::Type;

  static void multiply(const RowProduct& product, int first, int last) {
    const float* a = product.blocks + 12 * product.begin[first];
    for (int i = first; i < last; ++i) {
      const double *d = product.diagonal + 9 * i, *own = product.x + 3 * i;
      Lanes sum = {};
      for (int k = 0; k < (W < 3 ? W : 3); ++k)
        sum[k] = own[0] * d[k] + own[1] * d[3 + k] + own[2] * d[6 + k];
      double third = own[0] * d[2] + own[1] * d[5] + own[2] * d[8];  // of two lanes
      for (int slot = product.begin[i]; slot < product.begin[i + 1]; ++slot, a += 12) {
        const double* v = product.x + 3 * product.column[slot];
        sum += v[0] * column(a) + v[1] * column(a + 4) + v[2] * column(a + 8);
        if constexpr (W == 2) third += v[0] * a[2] + v[1] * a[6] + v[2] * a[10];
      }
      double* y = product.y + 3 * i;
      y[0] = sum[0];
      y[1] = sum[1];
      if constexpr (W == 2)
        y[2] = third;
      else
        y[2] = sum[2];
    }
  }

 private:
  static Lanes column(const float* from) {
#ifdef __AVX__
    if constexpr (W == 4)
      return _mm256_cvtps_pd(_mm_loadu_ps(from));  // GCC 12 splits its vector conversion in two
#endif
    typedef float Floats __attribute__((vector_size(4 * W)));
    Floats floats;
    __builtin_memcpy(&floats, from, sizeof floats);
    return __builtin_convertvector(floats, Lanes);
  }
};

template <int W>
constexpr RowKernels make_row_kernels() {
  return {ColumnLanes<W>::multiply};
}

}  // namespace muslin

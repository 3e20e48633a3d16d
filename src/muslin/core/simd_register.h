#pragma once
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace muslin {

/// A register of W floats (a template's own argument would not do: GCC takes `vector_size(4 * W)` for float).
template <int W>
struct RegisterOf;
template <>
struct RegisterOf<4> {
  typedef float Type __attribute__((vector_size(16)));
};
template <>
struct RegisterOf<8> {
  typedef float Type __attribute__((vector_size(32)));
};
template <>
struct RegisterOf<16> {
  typedef float Type __attribute__((vector_size(64)));
};

/// The same of W doubles, and of as many integers of their size, which comparisons give.
template <int W>
struct DoublesOf;
template <>
struct DoublesOf<2> {
  typedef double Type __attribute__((vector_size(16)));
  typedef long long Integers __attribute__((vector_size(16)));
};
template <>
struct DoublesOf<4> {
  typedef double Type __attribute__((vector_size(32)));
  typedef long long Integers __attribute__((vector_size(32)));
};
template <>
struct DoublesOf<8> {
  typedef double Type __attribute__((vector_size(64)));
  typedef long long Integers __attribute__((vector_size(64)));
};

/// Square roots of a register of floats or doubles, exact to the last bit.
template <class Register>
Register root_of(Register x) {
#ifdef __AVX512F__
  // With a mask of all lanes, as GCC 12 warns of its own _mm512_sqrt_ps; the instruction is the same.
  if constexpr (__is_same(Register, RegisterOf<16>::Type)) return _mm512_maskz_sqrt_ps(0xffff, x);
  if constexpr (__is_same(Register, DoublesOf<8>::Type)) return _mm512_maskz_sqrt_pd(0xff, x);
#endif
#ifdef __AVX__
  if constexpr (__is_same(Register, RegisterOf<8>::Type)) return _mm256_sqrt_ps(x);
  if constexpr (__is_same(Register, DoublesOf<4>::Type)) return _mm256_sqrt_pd(x);
#endif
#ifdef __SSE2__
  if constexpr (__is_same(Register, RegisterOf<4>::Type)) return _mm_sqrt_ps(x);
  if constexpr (__is_same(Register, DoublesOf<2>::Type)) return _mm_sqrt_pd(x);
#endif
  for (unsigned k = 0; k < sizeof x / sizeof x[0]; ++k)
    if constexpr (sizeof x[0] == sizeof(float))
      x[k] = __builtin_sqrtf(x[k]);
    else
      x[k] = __builtin_sqrt(x[k]);
  return x;
}

/// Numbers i … l of a and b, in each four of the registers by itself; those of b begin with 4. Of
/// equal inline functions the linker keeps one for all processors: every instruction set has a width W of its
/// own.
template <int W>
struct Fours {
  using Register = typename RegisterOf<W>::Type;

  template <int i, int j, int k, int l>
  static Register pick(const Register& a, const Register& b) {
    if constexpr (W == 4)
      return __builtin_shufflevector(a, b, i, j, k, l);
    else
      return __builtin_shufflevector(a, b, of(i), of(j), of(k), of(l), of(i) + 4, of(j) + 4, of(k) + 4,
                                     of(l) + 4);
  }
  /// Each 4×4 numbers become their transpose.
  static void transpose(Register& a, Register& b, Register& c, Register& d) {
    const Register ab = pick<0, 4, 1, 5>(a, b), cd = pick<0, 4, 1, 5>(c, d);
    const Register ab_high = pick<2, 6, 3, 7>(a, b), cd_high = pick<2, 6, 3, 7>(c, d);
    a = pick<0, 1, 4, 5>(ab, cd);
    b = pick<2, 3, 6, 7>(ab, cd);
    c = pick<0, 1, 4, 5>(ab_high, cd_high);
    d = pick<2, 3, 6, 7>(ab_high, cd_high);
  }

 private:
  static constexpr int of(int index) { return index < 4 ? index : index + 4; }  // of eight, the lower four
};

}  // namespace muslin

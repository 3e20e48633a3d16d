// In place of the compiler's header of this name (cmake/arm.cmake): SSE2's operations, each by those of NEON that make the same bits.
#pragma once
#ifdef __cplusplus
extern "C++" {  // Eigen includes it as C
#endif
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/sse2.h>

// SIMDe's shifts are macros that give back what they were given where the count is 0, of another type than the result.
#define MUSLIN_SHIFT(name, bits, shift)                                                      \
  static inline __attribute__((always_inline)) simde__m128i muslin_##name(simde__m128i a, int count) { \
    typedef uint##bits##_t Lanes __attribute__((vector_size(16)));                           \
    return (simde__m128i)((Lanes)a shift (uint##bits##_t)count);                             \
  }
MUSLIN_SHIFT(slli_epi16, 16, <<)
MUSLIN_SHIFT(slli_epi32, 32, <<)
MUSLIN_SHIFT(slli_epi64, 64, <<)
MUSLIN_SHIFT(srli_epi16, 16, >>)
MUSLIN_SHIFT(srli_epi32, 32, >>)
MUSLIN_SHIFT(srli_epi64, 64, >>)
#undef MUSLIN_SHIFT
#undef _mm_slli_epi16
#undef _mm_slli_epi32
#undef _mm_slli_epi64
#undef _mm_srli_epi16
#undef _mm_srli_epi32
#undef _mm_srli_epi64
#define _mm_slli_epi16 muslin_slli_epi16
#define _mm_slli_epi32 muslin_slli_epi32
#define _mm_slli_epi64 muslin_slli_epi64
#define _mm_srli_epi16 muslin_srli_epi16
#define _mm_srli_epi32 muslin_srli_epi32
#define _mm_srli_epi64 muslin_srli_epi64
#define __builtin_ia32_sqrtsd(x) _mm_sqrt_pd(x)  // Eigen looks at its first lane alone
#ifdef __cplusplus
}
#endif

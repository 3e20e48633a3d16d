// Before the compiler's header of this name in builds for browsers (cmake/web.cmake).
//
// Where a number that was loaded is used in all lanes and by itself, Emscripten 3.1.6 loads it once more for the lanes, and may
// do so after a store to the same place: of x = S x with three numbers, the first two came out wrong (docs/web.md). A number
// that passed through an asm statement is loaded once. Eigen fills lanes by these two functions.
#pragma once
#include_next <emmintrin.h>

static __inline__ __m128d muslin_set1_pd(double number) {
  __asm__("" : "+r"(number));
  return (__m128d){number, number};
}

static __inline__ __m128 muslin_set1_ps(float number) {
  __asm__("" : "+r"(number));
  return (__m128){number, number, number, number};
}

#define _mm_set1_pd muslin_set1_pd
#define _mm_set_ps1 muslin_set1_ps

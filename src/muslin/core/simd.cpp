#include "muslin/core/simd.h"

#include <algorithm>
#include <atomic>

namespace muslin {

namespace {

Simd runnable() {
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_supports("avx512f")) return Simd::avx512;
  if (__builtin_cpu_supports("avx2")) return Simd::avx2;
#endif
  return Simd::plain;
}

std::atomic<Simd> simd_limit = Simd::avx512;

}  // namespace

Simd widest_simd() {
  static const Simd widest = runnable();
  return std::min(widest, simd_limit.load());
}

void limit_simd(Simd widest) { simd_limit = widest; }

}  // namespace muslin

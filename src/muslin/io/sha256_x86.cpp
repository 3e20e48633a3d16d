#include "muslin/io/sha256_blocks.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace muslin {

#if defined(__x86_64__)

namespace {

// The instructions do two rounds at a time [Intel, SHA Extensions, 2013]: of the words a b e f and c d g h,
// sha256rnds2 makes the next a b e f, and the last a b e f are the next c d g h.
__attribute__((target("sha,sse4.1"))) void add_blocks_x86(Sha256State& state, const char* bytes,
                                                          std::size_t blocks) {
  const auto load = [](const void* from) __attribute__((target("sha,sse4.1"))) {
    return _mm_loadu_si128(static_cast<const __m128i*>(from));
  };
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i badc = _mm_shuffle_epi32(load(&state[0]), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(load(&state[4]), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);

  for (; blocks > 0; --blocks, bytes += kSha256Block) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[16];  // four words each, of which twelve follow from the first four
    for (int t = 0; t < 16; ++t) {
      if (t < 4)
        w[t] = _mm_shuffle_epi8(load(bytes + 16 * t), big_endian);
      else
        w[t] = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(w[t - 4], w[t - 3]), _mm_alignr_epi8(w[t - 1], w[t - 2], 4)),
            w[t - 1]);
      const __m128i added = _mm_add_epi32(w[t], load(&kSha256Rounds[4 * t]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[0]), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}

/// Intel's and AMD's manuals, CPUID: SSSE3, SSE4.1 and the SHA extensions.
bool has_instructions() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 9 & 1) || !(c >> 19 & 1)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1);
}

}  // namespace

AddSha256Blocks sha256_instructions() {
  static const bool has = has_instructions();
  return has ? add_blocks_x86 : nullptr;
}

#else

AddSha256Blocks sha256_instructions() { return nullptr; }

#endif

}  // namespace muslin

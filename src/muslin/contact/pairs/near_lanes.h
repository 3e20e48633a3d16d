#pragma once
#include "muslin/contact/pairs/near_kernels.h"

// Included by one file for every instruction set, which alone instantiates it for its width. Nothing here may
// be a plain inline function: the linker would keep one copy for all processors.

namespace muslin {

/// Pairs of W/4 elements of a with four of b, in W lanes, four or eight: sixteen took more time than eight on
/// the processor that was tried.
template <int W>
struct NearLanes {
  using Lanes = typename RegisterOf<W>::Type;
  using Vectors = LaneVectors<Lanes>;

  static constexpr float kMore = 0x1p-20F;

  template <std::size_t N, std::size_t M>
  static int near(const FourElements<N>& a, const FourElements<M>& b, int hits) {
    int left = 0;
    for (int bit = 0; bit < 16; bit += W)
      if (const int some = hits >> bit & ((1 << W) - 1)) left |= near_some(a, bit / 4, b, some) << bit;
    return left;
  }

 private:
  template <std::size_t N, std::size_t M>
#ifndef __clang__
  [[gnu::flatten]]  // else GCC passes vectors by memory
#endif
  static int
  near_some(const FourElements<N>& a, int first, const FourElements<M>& b, int hits) {
    // 1. Nearer than both together are thick
    const Vectors motion = of_a(a.way, first) - of_b(b.way);
    const Lanes beside = of_a(a.reach, first) + of_b(b.reach) + root_of(dot(motion, motion));
    const Lanes thick = of_a(a.half_thickness, first) + of_b(b.half_thickness);
    const Lanes lower = distances(a.corner, first, b.corner).lower;
    const auto parted = [&](const Lanes& radius) {
      return bits_of(lower > (radius + beside) * all_lanes<Lanes>(1 + kMore));
    };
    hits &= ~parted(thick);
    if (hits == 0) return 0;

    // 2. Neighbours: nearer than half of what they are apart at rest
    const auto is_one_piece = of_a(a.piece, first) == of_b(b.piece);
    if ((bits_of(is_one_piece) & hits) == 0) return hits;
    const Lanes at_rest = static_cast<float>(kRestFraction) * distances(a.rest, first, b.rest).upper;
    return hits & ~parted(is_one_piece ? lesser_of(thick, at_rest) : thick);
  }

  template <std::size_t N, std::size_t M>
  static LaneDistances<Lanes> distances(const FourVectors (&a)[N], int first, const FourVectors (&b)[M]) {
    Vectors corners_a[N], corners_b[M];
    for (std::size_t k = 0; k < N; ++k) corners_a[k] = of_a(a[k], first);
    for (std::size_t k = 0; k < M; ++k) corners_b[k] = of_b(b[k]);
    return lane_distances(corners_a, corners_b);
  }

  /// Element first + k/4 in lane k.
  template <class Four>
  static auto of_a(const Four& x, int first) {
    if constexpr (W == 4) {
      const auto a = x[first];
      return Four{a, a, a, a};
    } else {
      const Four a = {x[first], x[first], x[first], x[first]},
                 b = {x[first + 1], x[first + 1], x[first + 1], x[first + 1]};
      return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    }
  }
  static Vectors of_a(const FourVectors& v, int first) {
    return {of_a(v.x, first), of_a(v.y, first), of_a(v.z, first)};
  }
  /// Element k mod 4 in lane k.
  template <class Four>
  static auto of_b(const Four& x) {
    if constexpr (W == 4)
      return x;
    else
      return __builtin_shufflevector(x, x, 0, 1, 2, 3, 0, 1, 2, 3);
  }
  static Vectors of_b(const FourVectors& v) { return {of_b(v.x), of_b(v.y), of_b(v.z)}; }
};

template <int W>
constexpr NearKernels make_near_kernels() {
  return {NearLanes<W>::template near<1, 3>, NearLanes<W>::template near<2, 2>};
}

}  // namespace muslin

#pragma once
#include <cstddef>

#include "muslin/core/lane_vectors.h"
#include "muslin/core/simd_register.h"

// Bounds of the distances of several pairs at once, in single precision: a filter before the exact distance,
// which takes ten times as long. Vectors of GCC and clang: four numbers wide everywhere, as SSE2, NEON and
// WebAssembly have them; wider ones in files of their own (core/simd.h), for which nothing here may be a
// plain inline function.
//
// What is proved here. Let u = 2⁻²⁴, the rounding of a float, and R the sum of the largest distances from the
// origin to a corner of side A and of side B. Corners are rounded once, which moves each by at most u R.
//
// *lower*. Any direction g parts the sides by h = min g·a − max g·b over their corners, so the distance d is
// at least h/|g|, whatever g is. It need not be the normal, and no rounding on the way to it matters. A
// computed g·a is off by at most u |g| |a| for the rounded corner and 3u |g| |a| for the sum of three
// products; h, after its subtraction, by 5u |g| R and little more. So
//
//   d ≥ (h − 5.1 u |g| R)/|g| ≥ lower (1 − 4u) − 5.1 u R,
//
// where 4u are the roundings of |g| and of the division. Products that underflow add less than 2⁻¹⁴⁵: nothing
// beside u |g| R, as |g| ≥ 2⁻³⁰ is asked for, or else lower is 0, and |g| ≤ 2R.
//
// *upper*. g is the difference of two points of the sides, whose weights are in their range as floats are,
// and a sum of two weights at most u above 1. Computed from corners with their roundings, differences,
// products and sums, it is off by less than 16 u R, so d ≤ upper (1 + 4u) + 16 u R.
//
// Both hold for features without length or area, parallel edges and slivers alike, of which they are only
// less tight. They need an R of at most kLargest, so that no product overflows; beyond, nothing is promised.

namespace muslin {

/// Four numbers side by side.
using Floats = RegisterOf<4>::Type;
using Ints = int __attribute__((vector_size(16)));

/// A number in every lane.
template <class Lanes>
Lanes all_lanes(float x) {
  return x - Lanes{};
}
template <class Lanes>
Lanes lesser_of(Lanes a, Lanes b) {
  return a < b ? a : b;
}
template <class Lanes>
Lanes greater_of(Lanes a, Lanes b) {
  return a > b ? a : b;
}

/// Bit k is set where lane k of a comparison holds.
template <class Holds>
int bits_of(Holds holds) {
#ifdef __AVX__
  if constexpr (sizeof(Holds) == 32) return _mm256_movemask_ps(reinterpret_cast<__m256>(holds));
#endif
#ifdef __SSE2__
  if constexpr (sizeof(Holds) == 16) return _mm_movemask_ps(reinterpret_cast<__m128>(holds));
#endif
  int bits = 0;
  for (unsigned k = 0; k < sizeof(Holds) / sizeof(int); ++k) bits |= holds[k] & 1 << k;
  return bits;
}

using FourVectors = LaneVectors<Floats>;

/// What is left out of the bounds below.
struct LaneRounding {
  static constexpr float kAbsolute = 0x1p-20F, kRelative = 0x1p-22F;
  static constexpr float kLargest = 0x1p20F;  ///< [m] an R above which nothing is promised
};

/// Bounds of distances [m], but for rounding: d ≥ lower (1 − kRelative) − kAbsolute R and
/// d ≤ upper (1 + kRelative) + kAbsolute R, with R as above.
template <class Lanes>
struct LaneDistances {
  Lanes lower, upper;
};

namespace detail {

inline constexpr float kLeastGap = 0x1p-30F;  // [m] below it a direction may be rounding alone
inline constexpr float kNoSquare = 1e-30F;    // [m²] added to what is divided by
// sin² of the angle of two edges below which their lines' nearest points are noise: any others do.
inline constexpr float kParallelEdges = 1e-6F;

template <class Lanes>
Lanes to_unit(Lanes x) {
  return lesser_of(greater_of(x, Lanes{}), all_lanes<Lanes>(1));
}

/// A difference a − b of points of two edges, nearly the shortest [Ericson 2005, §5.1.9].
template <class Lanes>
LaneVectors<Lanes> gap_of(const LaneVectors<Lanes> (&a)[2], const LaneVectors<Lanes> (&b)[2]) {
  using Vectors = LaneVectors<Lanes>;
  const Vectors u = a[1] - a[0], v = b[1] - b[0], r = a[0] - b[0];
  const Lanes uu = dot(u, u) + kNoSquare, vv = dot(v, v) + kNoSquare, uv = dot(u, v);
  const Lanes ur = dot(u, r), vr = dot(v, r), area = uu * vv - uv * uv;
  const Lanes s = area > kParallelEdges * uu * vv ? to_unit((uv * vr - ur * vv) / area) : Lanes{};
  const Lanes t = to_unit((uv * s + vr) / vv);
  return r + to_unit((uv * t - ur) / uu) * u - t * v;
}

/// The same of a point and a triangle: of its plane and its edges the nearest.
template <class Lanes>
LaneVectors<Lanes> gap_of(const LaneVectors<Lanes> (&a)[1], const LaneVectors<Lanes> (&b)[3]) {
  using Vectors = LaneVectors<Lanes>;
  const Vectors u = b[1] - b[0], v = b[2] - b[0], w = b[2] - b[1], r = a[0] - b[0], q = a[0] - b[1];
  const Lanes uu = dot(u, u) + kNoSquare, vv = dot(v, v) + kNoSquare, uv = dot(u, v);
  const Lanes ur = dot(u, r), vr = dot(v, r);
  const auto to_edge = [](Lanes along, Lanes square, const Vectors& from, const Vectors& edge) {
    return from - to_unit(along / square) * edge;
  };
  Vectors gap = to_edge(ur, uu, r, u);
  Lanes square = dot(gap, gap);
  const auto consider = [&](const Vectors& other, auto may) {
    const Lanes others = dot(other, other);
    const auto is_nearer = may & (others < square);
    gap = choose(is_nearer, other, gap);
    square = is_nearer ? others : square;
  };
  const auto always = Lanes{} == Lanes{};
  consider(to_edge(vr, vv, r, v), always);
  consider(to_edge(dot(w, q), dot(w, w) + kNoSquare, q, w), always);
  const Lanes area = uu * vv - uv * uv;
  const Lanes s = (vv * ur - uv * vr) / area, t = (uu * vr - uv * ur) / area;
  consider(r - s * u - t * v, (s >= 0) & (t >= 0) & (s + t <= 1));
  return gap;
}

template <std::size_t N, class Lanes, class Choose>
Lanes height(const LaneVectors<Lanes>& g, const LaneVectors<Lanes> (&corners)[N], const Choose& choose) {
  Lanes height = dot(g, corners[0]);
  for (std::size_t k = 1; k < N; ++k) height = choose(height, dot(g, corners[k]));
  return height;
}

}  // namespace detail

/// Of two edges (2, 2) or of a point and a triangle (1, 3): one pair a lane, corners [m] from a common
/// origin.
template <class Lanes, std::size_t N, std::size_t M>
LaneDistances<Lanes> lane_distances(const LaneVectors<Lanes> (&a)[N], const LaneVectors<Lanes> (&b)[M]) {
  const LaneVectors<Lanes> gap = detail::gap_of(a, b);
  const Lanes length = root_of(dot(gap, gap));
  const Lanes parted = detail::height(gap, a, lesser_of<Lanes>) - detail::height(gap, b, greater_of<Lanes>);
  return {length >= detail::kLeastGap ? parted / length : Lanes{}, length};
}

}  // namespace muslin

#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "muslin/core/types.h"
#include "muslin/geometry/distance.h"

// Bounds of the distances of four pairs at once, in single precision: a filter before the exact distance,
// which takes ten times as long. Vectors of GCC and clang, four numbers wide: SSE2, NEON and WebAssembly have
// them.
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
using Floats = float __attribute__((vector_size(16)));
using Ints = int __attribute__((vector_size(16)));

inline Floats four(float x) { return Floats{x, x, x, x}; }
inline Floats least(Floats a, Floats b) { return a < b ? a : b; }
inline Floats most(Floats a, Floats b) { return a > b ? a : b; }

inline Floats root(Floats x) {
#ifdef __SSE2__
  return _mm_sqrt_ps(x);
#else
  for (int k = 0; k < 4; ++k) x[k] = __builtin_sqrtf(x[k]);
  return x;
#endif
}

/// Bit k is set where lane k of a comparison holds.
inline int bits_of(Ints holds) {
#ifdef __SSE2__
  return _mm_movemask_ps(reinterpret_cast<__m128>(holds));
#else
  return (holds[0] & 1) | (holds[1] & 2) | (holds[2] & 4) | (holds[3] & 8);
#endif
}

/// A float that is no less than a number, and one that is no more: by more than the roundings of a few sums.
inline float rounded_up(double x) {
  return static_cast<float>(x + std::abs(x) * 0x1p-20) + std::numeric_limits<float>::min();
}
inline float rounded_down(double x) { return -rounded_up(-x); }

/// Four vectors side by side.
struct FourVectors {
  Floats x, y, z;

  /// Vector `lane` four times.
  FourVectors spread(int lane) const { return {four(x[lane]), four(y[lane]), four(z[lane])}; }
  void set(int lane, const Vec3& vector) {
    x[lane] = static_cast<float>(vector[0]);
    y[lane] = static_cast<float>(vector[1]);
    z[lane] = static_cast<float>(vector[2]);
  }
};
inline FourVectors operator+(const FourVectors& a, const FourVectors& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline FourVectors operator-(const FourVectors& a, const FourVectors& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline FourVectors operator*(Floats s, const FourVectors& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Floats dot(const FourVectors& a, const FourVectors& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline FourVectors choose(Ints where, const FourVectors& a, const FourVectors& b) {
  return {where ? a.x : b.x, where ? a.y : b.y, where ? a.z : b.z};
}

/// Bounds of four distances [m], but for rounding: d ≥ lower (1 − kRelative) − kRounding R and
/// d ≤ upper (1 + kRelative) + kRounding R, with R as above.
struct FourDistances {
  Floats lower, upper;

  static constexpr float kRounding = 0x1p-20F, kRelative = 0x1p-22F;
  static constexpr float kLargest = 0x1p20F;  ///< [m] an R above which nothing is promised
};

namespace detail {

inline constexpr float kLeastGap = 0x1p-30F;  // [m] below it a direction may be rounding alone
inline constexpr float kNoSquare = 1e-30F;    // [m²] added to what is divided by
// sin² of the angle of two edges below which their lines' nearest points are noise: any others do.
inline constexpr float kParallelEdges = 1e-6F;

inline Floats to_unit(Floats x) { return least(most(x, four(0)), four(1)); }

/// A difference a − b of points of two edges, nearly the shortest [Ericson 2005, §5.1.9].
inline FourVectors gap_of(const std::array<FourVectors, 2>& a, const std::array<FourVectors, 2>& b) {
  const FourVectors u = a[1] - a[0], v = b[1] - b[0], r = a[0] - b[0];
  const Floats uu = dot(u, u) + kNoSquare, vv = dot(v, v) + kNoSquare, uv = dot(u, v);
  const Floats ur = dot(u, r), vr = dot(v, r), area = uu * vv - uv * uv;
  const Floats s = area > kParallelEdges * uu * vv ? to_unit((uv * vr - ur * vv) / area) : four(0);
  const Floats t = to_unit((uv * s + vr) / vv);
  return r + to_unit((uv * t - ur) / uu) * u - t * v;
}

/// The same of a point and a triangle: of its plane and its edges the nearest.
inline FourVectors gap_of(const std::array<FourVectors, 1>& a, const std::array<FourVectors, 3>& b) {
  const FourVectors u = b[1] - b[0], v = b[2] - b[0], w = b[2] - b[1], r = a[0] - b[0], q = a[0] - b[1];
  const Floats uu = dot(u, u) + kNoSquare, vv = dot(v, v) + kNoSquare, uv = dot(u, v);
  const Floats ur = dot(u, r), vr = dot(v, r);
  const auto to_edge = [](Floats along, Floats square, const FourVectors& from, const FourVectors& edge) {
    return from - to_unit(along / square) * edge;
  };
  FourVectors gap = to_edge(ur, uu, r, u);
  Floats square = dot(gap, gap);
  const auto consider = [&](const FourVectors& other, Ints may) {
    const Floats others = dot(other, other);
    const Ints is_nearer = may & (others < square);
    gap = choose(is_nearer, other, gap);
    square = is_nearer ? others : square;
  };
  const Ints always = ~Ints{};
  consider(to_edge(vr, vv, r, v), always);
  consider(to_edge(dot(w, q), dot(w, w) + kNoSquare, q, w), always);
  const Floats area = uu * vv - uv * uv;
  const Floats s = (vv * ur - uv * vr) / area, t = (uu * vr - uv * ur) / area;
  consider(r - s * u - t * v, (s >= 0) & (t >= 0) & (s + t <= 1));
  return gap;
}

template <size_t N, class Choose>
Floats height(const FourVectors& g, const std::array<FourVectors, N>& corners, const Choose& choose) {
  Floats height = dot(g, corners[0]);
  for (size_t k = 1; k < N; ++k) height = choose(height, dot(g, corners[k]));
  return height;
}

}  // namespace detail

/// Of two edges (2, 2) or of a point and a triangle (1, 3): one pair a lane, corners [m] from a common
/// origin.
template <size_t N, size_t M>
FourDistances four_distances(const std::array<FourVectors, N>& a, const std::array<FourVectors, M>& b) {
  const FourVectors gap = detail::gap_of(a, b);
  const Floats length = root(dot(gap, gap));
  const Floats parted = detail::height(gap, a, least) - detail::height(gap, b, most);
  return {length >= detail::kLeastGap ? parted / length : four(0), length};
}

}  // namespace muslin

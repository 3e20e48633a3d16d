#pragma once
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "muslin/core/lane_atan2.h"
#include "muslin/energy/hinge_kernels.h"

// Included by one file for every instruction set, which alone instantiates it for its width. Nothing here may
// be a plain inline function: the linker would keep one copy for all processors.

namespace muslin {

/// W hinges side by side; the mathematics, and the order of sums, are those of Fold (dihedral.h).
template <int W>
struct HingeLanes {
  using Lanes = typename DoublesOf<W>::Type;
  struct Vector {
    Lanes x, y, z;
  };

  Vector edge, own_arm, other_arm, own, other;
  Lanes squared, length;

  /// Hinges from number `first` on; the last one again in lanes beyond it.
  HingeLanes(const HingeJob& job, int first, int last) {
    int hinges[W];
    for (int k = 0; k < W; ++k) hinges[k] = 4 * (first + k < last ? first + k : last - 1);
    const auto corner = [&](int of) {
      Vector v;
      for (int k = 0; k < W; ++k) {
        const double* place = job.x + 3 * job.vertices[hinges[k] + of];
        v.x[k] = place[0], v.y[k] = place[1], v.z[k] = place[2];
      }
      return v;
    };
    const Vector p = corner(0);
    edge = difference(corner(1), p);
    own_arm = difference(corner(2), p);
    other_arm = difference(corner(3), p);
    own = cross(edge, own_arm);
    other = cross(other_arm, edge);
    squared = dot(edge, edge);
    length = root(squared);
  }

  Lanes angle(const HingeJob& job) const {
    return LaneAtan2<W>::of(dot(cross(own, other), edge), dot(own, other) * length, job.atan2);
  }

  /// ∂θ at a tip, A or B, and the place of its foot: of a triangle with these doubled normal and arm.
  void slope(const Vector& normal, const Vector& arm, Vector& at_tip, Lanes& foot) const {
    const Lanes normal_squared = dot(normal, normal), zero = {};
    const auto is_sound = (squared > 0) & (normal_squared > 0);
    const Lanes factor = -length / normal_squared;
    at_tip = {is_sound ? factor * normal.x : zero, is_sound ? factor * normal.y : zero,
              is_sound ? factor * normal.z : zero};
    foot = is_sound ? dot(arm, edge) / squared : zero;
  }

  static void angles(const HingeJob& job, int first, int last, double* angles) {
    for (int h = first; h < last; h += W) {
      const Lanes angle = HingeLanes(job, h, last).angle(job);
      for (int k = 0; k < W && h + k < last; ++k) angles[h + k] = angle[k];
    }
  }

  static void folds(const HingeJob& job, int first, int last, double* folds) {
    for (int h = first; h < last; h += W) {
      const HingeLanes hinges(job, h, last);
      Vector a, b;
      Lanes alpha, beta;
      hinges.slope(hinges.own, hinges.own_arm, a, alpha);
      hinges.slope(hinges.other, hinges.other_arm, b, beta);
      const Lanes numbers[9] = {a.x, a.y, a.z, b.x, b.y, b.z, alpha, beta, hinges.angle(job)};
      for (int k = 0; k < W && h + k < last; ++k)
        for (int i = 0; i < 9; ++i) folds[9 * (h + k) + i] = numbers[i][k];
    }
  }

 private:
  static Vector difference(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  static Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  static Lanes dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  static Lanes root(Lanes x) {
#ifdef __AVX__
    if constexpr (W == 4) return _mm256_sqrt_pd(x);
#endif
#ifdef __SSE2__
    if constexpr (W == 2) return _mm_sqrt_pd(x);
#endif
    for (int k = 0; k < W; ++k) x[k] = __builtin_sqrt(x[k]);
    return x;
  }
};

template <int W>
constexpr HingeKernels make_hinge_kernels() {
  return {HingeLanes<W>::angles, HingeLanes<W>::folds};
}

}  // namespace muslin

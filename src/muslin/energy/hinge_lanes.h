#pragma once
#include "muslin/core/lane_atan2.h"
#include "muslin/core/lane_vectors.h"
#include "muslin/energy/hinge_kernels.h"

// Included by one file for every instruction set, which alone instantiates it for its width. Nothing here may
// be a plain inline function: the linker would keep one copy for all processors.

namespace muslin {

/// W hinges side by side; the mathematics, and the order of sums, are those of Fold (dihedral.h).
template <int W>
struct HingeLanes {
  using Lanes = typename DoublesOf<W>::Type;
  using Vector = LaneVectors<Lanes>;

  Vector edge, own_arm, other_arm, own, other;
  Lanes squared, length;

  /// Hinges from number `first` on; the last one again in lanes beyond it.
  HingeLanes(const HingeJob& job, int first, int last) {
    int hinges[W];
    for (int k = 0; k < W; ++k) hinges[k] = 4 * (first + k < last ? first + k : last - 1);
    const auto corner = [&](int of) {
      Vector v;
      for (int k = 0; k < W; ++k) v.set(k, job.x + 3 * job.vertices[hinges[k] + of]);
      return v;
    };
    const Vector p = corner(0);
    edge = corner(1) - p;
    own_arm = corner(2) - p;
    other_arm = corner(3) - p;
    own = cross(edge, own_arm);
    other = cross(other_arm, edge);
    squared = dot(edge, edge);
    length = root_of(squared);
  }

  Lanes angle(const HingeJob& job) const {
    return LaneAtan2<W>::of(dot(cross(own, other), edge), dot(own, other) * length, job.atan2);
  }

  /// ∂θ at a tip, A or B, and the place of its foot: of a triangle with these doubled normal and arm.
  void slope(const Vector& normal, const Vector& arm, Vector& at_tip, Lanes& foot) const {
    const Lanes normal_squared = dot(normal, normal), zero = {};
    const auto is_sound = (squared > 0) & (normal_squared > 0);
    at_tip = choose(is_sound, (-length / normal_squared) * normal, Vector{});
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
};

template <int W>
constexpr HingeKernels make_hinge_kernels() {
  return {HingeLanes<W>::angles, HingeLanes<W>::folds};
}

}  // namespace muslin

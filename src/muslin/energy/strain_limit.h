#pragma once

#include "muslin/core/maths.h"
#include "muslin/energy/number.h"

namespace muslin {

/// A barrier that keeps the strain s of a thread below a limit b, in the manner of [Li 2021]. Per area and
/// stiffness of the thread, with c = b/2 and t = (s − c)/c,
///
///   φ(s) = −c² t² ln(1 − t)   beyond the onset c, where t = 0;   0 before
///
/// has two continuous derivatives and is infinite at the limit. But steps begin where inertia takes the
/// cloth, and pins may be moved apart, so from t = 0.98 on φ is the parabola with the same value, slope and
/// curvature: finite and convex everywhere. The limit is therefore one of tension: the barrier holds against
/// 107.8 c (53.9 b) times the thread's stiffness, and what pulls harder passes it.
template <class T>
struct StrainLimit {
  T strain = T(kInfinity);  ///< b; infinite: no limit

  static constexpr double kContinued = 0.98;  ///< t from which on φ is a parabola

  /// The barrier at one strain, without unit.
  struct Barrier {
    T value;      ///< φ
    T slope;      ///< φ′
    T curvature;  ///< φ″
  };

  /// Whether a strain is beyond the onset c, a bool or a pack's mask.
  auto acts(const T& s) const { return s > strain / 2; }

  /// φ and its derivatives at a strain at which it acts.
  Barrier barrier(const T& s) const {
    using maths::log;
    const T c = strain / 2, t = smaller(T((s - c) / c), T(kContinued)), left = 1 - t, log_left = log(left);
    const Barrier joint{-c * c * t * t * log_left, c * (t * t / left - 2 * t * log_left),
                        t * (4 - 3 * t) / (left * left) - 2 * log_left};
    const T beyond = positive(T(s - c * (1 + kContinued)));
    return {joint.value + beyond * (joint.slope + beyond / 2 * joint.curvature),
            joint.slope + beyond * joint.curvature, joint.curvature};
  }
};

}  // namespace muslin

#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

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
struct StrainLimit {
  double strain = std::numeric_limits<double>::infinity();  ///< b; infinite: no limit

  static constexpr double kContinued = 0.98;  ///< t from which on φ is a parabola

  struct Barrier {
    double value, slope, curvature;  ///< φ, φ′, φ″
  };

  bool acts(double s) const { return s > strain / 2; }

  /// Where it acts.
  Barrier barrier(double s) const {
    const double c = strain / 2, t = std::min((s - c) / c, kContinued), left = 1 - t, log = std::log(left);
    const Barrier joint{-c * c * t * t * log, c * (t * t / left - 2 * t * log),
                        t * (4 - 3 * t) / (left * left) - 2 * log};
    const double beyond = std::max(0.0, s - c * (1 + kContinued));
    return {joint.value + beyond * (joint.slope + beyond / 2 * joint.curvature),
            joint.slope + beyond * joint.curvature, joint.curvature};
  }
};

}  // namespace muslin

#pragma once
#include <cmath>

namespace muslin {

/// The energy of two surfaces at a distance d [m] that repel each other below `radius`, the quadratic-log
/// energy of [Chen 2025]: a spring down to half the radius, then a logarithm that tends to infinity at d = 0,
/// so that no finite force closes the gap. Twice continuously differentiable but for the step of the
/// curvature, from 0 to `stiffness`, at d = radius. With t = radius/2:
///
///   E = 0                           radius ≤ d
///   E = ½ k (radius − d)²                t ≤ d < radius
///   E = ½ k t² − k t² ln(d/t)            0 ≤ d < t         (infinite at 0)
struct Barrier {
  double radius;     ///< [m]; 0: never repels
  double stiffness;  ///< k [N/m]

  double value(double d) const {  ///< [J]
    if (d >= radius) return 0;
    const double t = radius / 2;
    return d >= t ? stiffness / 2 * (radius - d) * (radius - d) : stiffness * t * t * (0.5 - std::log(d / t));
  }
  double slope(double d) const {  ///< ∂E/∂d ≤ 0 [N]
    if (d >= radius) return 0;
    const double t = radius / 2;
    return d >= t ? stiffness * (d - radius) : -stiffness * t * t / d;
  }
  double curvature(double d) const {  ///< ∂²E/∂d² ≥ 0 [N/m]
    if (d >= radius) return 0;
    const double t = radius / 2;
    return d >= t ? stiffness : stiffness * (t / d) * (t / d);
  }
};

}  // namespace muslin

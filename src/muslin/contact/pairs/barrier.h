#pragma once
#include <limits>

#include "muslin/core/maths.h"

namespace muslin {

/// The energy of two surfaces at a distance d [m] that repel each other below `radius`: the logarithmic
/// barrier of [Li 2020, eq. 6], here of the distance itself. It begins without force and without curvature,
/// so that cloth that comes to rest on something does not rattle, and tends to infinity at d = 0, so that no
/// finite force closes the gap:
///
///   E = −k (d − radius)² ln(d/radius)    0 < d < radius;  0 beyond, infinite for d ≤ 0
struct Barrier {
  double radius;     ///< [m]; 0: never repels
  double stiffness;  ///< k [N/m]

  double value(double d) const {  ///< [J]
    if (d >= radius) return 0;
    if (d <= 0) return std::numeric_limits<double>::infinity();
    return -stiffness * (d - radius) * (d - radius) * maths::log(d / radius);
  }
  double slope(double d) const {  ///< ∂E/∂d ≤ 0 [N]
    if (d >= radius) return 0;
    return -stiffness * (d - radius) * (2 * maths::log(d / radius) + (d - radius) / d);
  }
  double curvature(double d) const {  ///< ∂²E/∂d² ≥ 0 [N/m]
    if (d >= radius) return 0;
    const double q = (d - radius) / d;
    return stiffness * (q * q - 4 * q - 2 * maths::log(d / radius));
  }
};

}  // namespace muslin

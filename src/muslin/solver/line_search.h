#pragma once
#include "muslin/solver/objective.h"

namespace muslin {

inline constexpr double kArmijo = 1e-4;  ///< of the decrease that its slope promises: what a step must keep
inline constexpr double kNoise = 1e-12;  ///< of F: a smaller change is lost in its sum's rounding

/// A place of a descent and what is known of F there.
struct Iterate {
  Points x;          ///< [m]
  double value = 0;  ///< F [J]
  Points gradient;   ///< ∂F/∂x [N]
};

/// F and its gradient at iterate.x.
void evaluate(const Objective& objective, Scratch& scratch, Iterate& iterate);

inline constexpr double kShortestStep = 1e-6;  ///< of a direction, below which it is given up

/// The largest α = 1, ½, ¼ … ≥ `shortest` for which F falls by a share of what its slope along `direction`
/// promises [Armijo 1966], with all that is known of from.x + α direction in `next`; 0 if there is none that
/// moves x. Where rounding hides a decrease, the slope must have flattened [Hager & Zhang 2005, eq. 4].
double search_line(const Objective& objective, const Iterate& from, const Points& direction, Scratch& scratch,
                   Iterate& next, double shortest = kShortestStep);

}  // namespace muslin

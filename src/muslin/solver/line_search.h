#pragma once
#include "muslin/solver/objective.h"

namespace muslin {

/// Armijo's constant: least decrease of F over that predicted by the slope, the usual choice of textbooks.
inline constexpr double kArmijo = 1e-4;
/// Relative change of F below its rounding error: some thousand ulps, as F sums over thousands of elements.
inline constexpr double kNoise = 1e-12;

/// A place of a descent with the value and gradient of F.
struct Iterate {
  Points x;          ///< [m]
  double value = 0;  ///< F [J]
  Points gradient;   ///< ∂F/∂x [N]
};

/// F and its gradient at iterate.x.
void evaluate(const Objective& objective, Scratch& scratch, Iterate& iterate);

/// What counts as a decrease near the rounding error of F.
enum class Rounding {
  none,       ///< F must decrease
  flattens,   ///< where F is equal to rounding, its slope must have flattened [Hager & Zhang 2005, eq. 4]
  by_slope,   ///< where the slope predicts less than rounding, only the slope decides, by the same rule
  tolerated,  ///< F may increase by its rounding error, for iterations that end by a length
};

/// The rules of a line search.
struct LineSearch {
  Rounding rounding = Rounding::flattens;
  double longest = 1;          ///< step length tried first: what Objective::safe_step allows
  double shortest = 1e-6;      ///< over `longest`; the search fails below it, after twenty halvings
  bool parabola = false;       ///< also try the minimum of a parabola through F
  bool wants_gradient = true;  ///< compute the gradient at the result
};

/// Result of a line search.
struct LineStep {
  double length = 0;         ///< over the direction; 0: F does not decrease
  bool in_rounding = false;  ///< the slope predicts less than the rounding error of F (Rounding::by_slope)
};

/// Backtracking line search [Armijo 1966]: tries `rules.longest`, half of it, a quarter … If the length is
/// not 0, `next` holds the result with F and, if wanted, the gradient. With `rules.parabola`, the minimum of
/// the parabola through both values and the slope replaces the result where F is less there.
LineStep search_line(const Objective& objective, const Iterate& from, const Points& direction,
                     const LineSearch& rules, Scratch& scratch, Iterate& next);

/// Reduction of the slope along a direction, over the reduction that its matrix predicted for this length.
/// Below 1, F is softer than the matrix and the direction too short. At least 1e-6, which keeps distance
/// estimates finite.
double slope_reduction(const Iterate& from, const Iterate& next, const Points& direction, double length);

}  // namespace muslin

#pragma once
#include "muslin/solver/objective.h"

namespace muslin {

/// The fraction of the decrease promised by the slope that a step must keep: the textbooks' usual choice, so
/// small that any step passes that does not overshoot. Half or double: hang, flag and drape keep their bits.
inline constexpr double kArmijo = 1e-4;
/// Relative change of F that its sum's rounding may hide: some thousand roundings of a double, as F sums over
/// thousands of elements.
inline constexpr double kNoise = 1e-12;

/// A place of a descent and what is known of F there.
struct Iterate {
  Points x;          ///< [m]
  double value = 0;  ///< F [J]
  Points gradient;   ///< ∂F/∂x [N]
};

/// F and its gradient at iterate.x.
void evaluate(const Objective& objective, Scratch& scratch, Iterate& iterate);

/// What counts as a decrease where rounding may hide it.
enum class Rounding {
  none,       ///< F must fall: for moves that are no end in themselves
  flattens,   ///< where F is the same to rounding, its slope must have flattened [Hager & Zhang 2005, eq. 4]
  by_slope,   ///< where the slope promises less than rounding, only the slope is asked, by the same rule
  tolerated,  ///< F may rise by its rounding: for iterations that end by a length
};

/// The rules of a line search.
struct LineSearch {
  Rounding rounding = Rounding::flattens;
  double longest = 1;          ///< step length tried first: what Objective::safe_step allows
  double shortest = 1e-6;      ///< of `longest`; below it the direction is given up: twenty halvings
  bool parabola = false;       ///< whether the minimum of the parabola through F is tried, too
  bool wants_gradient = true;  ///< whether the caller needs the gradient where the search ends
};

/// What a line search found.
struct LineStep {
  double length = 0;         ///< of the direction; 0: no way down
  bool in_rounding = false;  ///< the slope promises less than F's rounding (Rounding::by_slope)
};

/// The largest step length of `rules.longest`, half of it, a quarter … for which F falls by a fraction of
/// what its slope along `direction` promises [Armijo 1966]. `next` is there, if the length is not 0, with F
/// and, where it is wanted, the gradient. With `rules.parabola`, the minimum of the parabola through both
/// values and the slope replaces it where F is less and the parabola has it well before or beyond.
LineStep search_line(const Objective& objective, const Iterate& from, const Points& direction,
                     const LineSearch& rules, Scratch& scratch, Iterate& next);

/// What of the slope along a direction is gone, over what the matrix that it came of promised, from the
/// gradients before and after so much of it: below 1 where F is softer than the matrix, and the direction too
/// short. Never less than a millionth, which keeps a distance estimate finite.
double slope_reduction(const Iterate& from, const Iterate& next, const Points& direction, double length);

}  // namespace muslin

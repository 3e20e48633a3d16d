#include "muslin/solver/quasi_newton/stop_criteria.h"

#include <algorithm>
#include <cmath>

#include "muslin/solver/newton_system.h"

namespace muslin {

StopCriteria::StopCriteria(const QuasiNewtonSettings& settings, const StepProblem& problem,
                           const ConnectedPieces& pieces, const EnergyBound& bound)
    : problem_(problem),
      pieces_(pieces),
      bound_(bound),
      tolerance_(settings.nearness() * std::min(1.0, problem.h / kNominalStep)),
      seconds_squared_(tolerance_ / (settings.nearness() * ConnectedPieces::kLostAcceleration)) {}

bool StopCriteria::is_near(const Points& x, const Points& gradient, const Points& direction,
                           double slope_reduction) const {
  const double distance = pieces_.distance_estimate(gradient, direction, problem_.h);
  return distance / std::sqrt(slope_reduction) <= tolerance_ && bound_.holds(x);
}

bool StopCriteria::is_near_in_contact(const Points& x, const Points& gradient, const Points& direction,
                                      int contacts) const {
  if (contacts == 0) return is_near(x, gradient, direction, 1);
  return pieces_.distance_estimate(gradient, direction, problem_.h) <= tolerance_ &&
         seconds_squared_ * pieces_.lost_acceleration(gradient) <= tolerance_;
}

}  // namespace muslin

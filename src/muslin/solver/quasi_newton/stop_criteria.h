#pragma once
#include "muslin/model/settings.h"
#include "muslin/solver/connected_pieces.h"
#include "muslin/solver/quasi_newton/energy_bound.h"

namespace muslin {

/// When a step is near enough to its minimum: by a distance estimate [m] in every connected piece of cloth.
class StopCriteria {
 public:
  /// All but the settings must outlive it.
  StopCriteria(const QuasiNewtonSettings& settings, const StepProblem& problem, const ConnectedPieces& pieces,
               const EnergyBound& bound);

  double tolerance() const { return tolerance_; }  ///< [m] of the distance estimate, less in short steps

  /// Of a free step at x, of which `direction` would be the next. The estimate comes of the matrix of the
  /// iteration; where the last step reduced the slope by less than that matrix promised, the distance is
  /// longer by the root of it.
  bool is_near(const Points& x, const Points& gradient, const Points& direction,
               double slope_reduction) const;

  /// Of a step with so many contacts. Then the net-force residual of pieces counts as a length, too: what
  /// slides does not come to its speed if every step leaves a part of what it would have gained, as friction
  /// and weight leave little, with the same sign in every step.
  bool is_near_in_contact(const Points& x, const Points& gradient, const Points& direction,
                          int contacts) const;

 private:
  const StepProblem& problem_;
  const ConnectedPieces& pieces_;
  const EnergyBound& bound_;
  double tolerance_;        // [m]
  double seconds_squared_;  // metres of tolerance that an acceleration counts for [m / (m/s²)]
};

}  // namespace muslin

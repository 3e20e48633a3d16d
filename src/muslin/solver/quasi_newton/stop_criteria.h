#pragma once
#include "muslin/core/budget.h"
#include "muslin/model/settings.h"
#include "muslin/solver/connected_pieces.h"
#include "muslin/solver/quasi_newton/energy_bound.h"

namespace muslin {

/// Decides when an iterate is close enough to the minimum of F, or the step is out of time. All criteria are
/// lengths [m], evaluated for each connected piece of cloth; the worst piece counts.
class StopCriteria {
 public:
  /// The step's clock starts here. All arguments but `settings` must outlive the object.
  StopCriteria(const QuasiNewtonSettings& settings, const StepProblem& problem, const ConnectedPieces& pieces,
               const EnergyBound& bound);

  /// Tolerated distance to the minimum [m] of a step with this number of active contacts.
  double tolerance(int contacts) const { return contacts > 0 ? in_contact_ : tolerance_; }

  /// True once the step has used its milliseconds.
  bool is_late() const { return late_.is_due(); }

  /// True if the energy at x does not exceed that at the start of the step, where this must hold.
  bool bounds_energy(const Points& x) const { return bound_.holds(x); }

  /// Estimated distance to the minimum [m], from the decrease −g·d that the model of F promises along a
  /// direction d. `slope_reduction` is the fraction of the promised reduction of the slope that the last step
  /// achieved; the estimate grows by its inverse root.
  double distance(const Points& gradient, const Points& direction, double slope_reduction = 1) const;

  /// Root mean square length of a direction [m].
  double length(const Points& direction) const;

  /// Translation of a piece as a whole along a direction, scaled to compare with the tolerance [m]. It has a
  /// bound of its own because its error has the same sign in every step: cloth that slides would never reach
  /// its speed. Motion is measured instead of net force, which is large for cloth pressed on a stiff floor.
  double shift(const Points& direction) const;

  /// Momentum that a piece loses if a direction is not taken, scaled to compare with the tolerance [m].
  double lost_momentum(const Points& direction) const;

  /// A vertex of a piece that has not moved from its start although its net force is not balanced; −1 if
  /// there is none. `gradient` is that of F.
  int stuck(const Points& x, const Points& gradient) const;

  const ConnectedPieces& pieces() const { return pieces_; }

 private:
  const StepProblem& problem_;
  const ConnectedPieces& pieces_;
  const EnergyBound& bound_;
  Stop late_;
  double tolerance_, in_contact_;  // [m]
  double seconds_squared_;         // converts an acceleration [m/s²] into a length [m] beside the tolerance
};

/// Estimates the distance to the minimum after the next step from the lengths of successive directions, which
/// it takes for a geometric series. Where cloth buckles, directions are too short and so is the estimate.
class ConvergenceEstimate {
 public:
  /// Length of the next direction [m].
  void add_direction(double length);
  /// The line search took this fraction of it.
  void accept_step(double fraction) { fraction_ = fraction; }
  double fraction() const { return fraction_; }

  /// Ratio of successive lengths.
  double rate() const { return rate_; }
  /// Sum of all later lengths if the whole direction is taken [m].
  double remaining() const { return length_ * rate_ / (1 - rate_); }

 private:
  double length_ = 0, fraction_ = 0, rate_ = 0;
};

}  // namespace muslin

#pragma once
#include "muslin/core/budget.h"
#include "muslin/model/settings.h"
#include "muslin/solver/connected_pieces.h"
#include "muslin/solver/quasi_newton/energy_bound.h"

namespace muslin {

/// When a step is near enough to its minimum, by lengths [m] in every connected piece of cloth, or out of
/// time.
class StopCriteria {
 public:
  /// All but the settings must outlive it. The step's time begins now.
  StopCriteria(const QuasiNewtonSettings& settings, const StepProblem& problem, const ConnectedPieces& pieces,
               const EnergyBound& bound);

  /// [m] of the distance to the minimum, of a step with so many contacts; less in short steps.
  double tolerance(int contacts) const { return contacts > 0 ? in_contact_ : tolerance_; }

  /// Whether the step has taken the milliseconds that it may.
  bool is_late() const { return late_.is_due(); }

  /// Whether a place has no more energy than the step began with, where that tells a minimum.
  bool is_calm(const Points& x) const { return bound_.holds(x); }

  /// A distance estimate [m] by the energy that `direction` would take away. It comes of the matrix of the
  /// iteration; where the last step reduced the slope by less than that matrix promised, the distance is
  /// longer by the root of it.
  double distance(const Points& gradient, const Points& direction, double slope_reduction = 1) const;

  /// The root mean square length of a direction [m].
  double length(const Points& direction) const;

  /// What a direction moves a piece of cloth as a whole, as a length that compares with the tolerance [m]. It
  /// counts more than other ways: what slides does not come to its speed if every step leaves a part of what
  /// it would have gained, as friction and weight leave little, with the same sign in every step. It is
  /// asked of motion, not of net force: what presses on a stiff floor is large in newtons and nothing in
  /// metres.
  double shift(const Points& direction) const;

  /// What a step that leaves a direction undone takes of the momentum of a piece, held or not, as a length
  /// that compares with the tolerance [m].
  double lost_momentum(const Points& direction) const;

  /// A vertex of a piece that stands where it began, x against start, and yet is short of an acceleration
  /// that counts, by the gradient of F; -1: none.
  int stuck(const Points& x, const Points& gradient) const;

  const ConnectedPieces& pieces() const { return pieces_; }

 private:
  const StepProblem& problem_;
  const ConnectedPieces& pieces_;
  const EnergyBound& bound_;
  Stop late_;
  double tolerance_, in_contact_;  // [m]
  double seconds_squared_;         // metres of tolerance that an acceleration counts for [m / (m/s²)]
};

/// How far from the minimum a descent will be when it has gone its next direction, by how directions become
/// shorter: what is left of a geometric series. Where cloth buckles, and a model of its curvature makes
/// directions too short, the distance is longer (docs/performance/study.md).
class WayLeft {
 public:
  /// The next direction is so long [m].
  void add(double length);
  /// So much of it was gone.
  void went(double fraction) { fraction_ = fraction; }
  double fraction() const { return fraction_; }

  /// What of a direction the one after it will be long.
  double rate() const { return rate_; }
  /// [m]
  double after() const { return length_ * rate_ / (1 - rate_); }

 private:
  double length_ = 0, fraction_ = 0, rate_ = 0;
};

}  // namespace muslin

#pragma once
#include "muslin/solver/objective.h"

namespace muslin {

/// For methods that do not decrease F in every iteration: the result must not be worse than the start. Keeps
/// the best iterate seen.
class Safeguard {
 public:
  static constexpr double kRounding = 1e-9;  ///< relative increase of F that is ignored
  static constexpr double kStepCut = 0.7;    ///< factor of the step length after F increased [Wang 2016]

  /// `objective` must outlive the object.
  Safeguard(const Objective& objective, const Points& start);

  /// If F(x) exceeds F(start), replaces x by the best iterate and returns false.
  bool accept(Points& x);

 private:
  double noise(const Points& x) const;

  const Objective& objective_;
  Points start_, best_;
  double start_value_, best_value_;
};

}  // namespace muslin

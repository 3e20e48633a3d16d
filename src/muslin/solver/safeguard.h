#pragma once
#include "muslin/solver/objective.h"

namespace muslin {

/// For methods that do not descend with every iteration: what they end with must not be worse than what they
/// began with. Remembers the best iterate that was looked at.
class Safeguard {
 public:
  static constexpr double kRounding = 1e-9;  ///< relative rise of F that counts as none
  static constexpr double kStepCut = 0.7;    ///< factor of steps when F rose [Wang 2016]

  /// `objective` must outlive it.
  Safeguard(const Objective& objective, const Points& start)
      : objective_(objective), start_(start), best_(start) {
    start_value_ = best_value_ = objective.value(start);
  }

  /// Looks at F(x). If it is above F(start), x becomes the best iterate and the answer is false.
  bool accept(Points& x) {
    const double value = objective_.value(x);
    if (objective_.contact()) {  // friction has been lagged since: F is another one
      start_value_ = objective_.value(start_);
      best_value_ = objective_.value(best_);
    }
    if (!(value <= start_value_ * (1 + kRounding))) {
      x = best_;
      return false;
    }
    if (value <= best_value_) best_ = x, best_value_ = value;
    return true;
  }

 private:
  const Objective& objective_;
  Points start_, best_;
  double start_value_, best_value_;
};

}  // namespace muslin

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
    if (!(value <= start_value_ * (1 + kRounding)) && !(value <= start_value_ + noise(x))) {
      x = best_;
      return false;
    }
    if (value <= best_value_) best_ = x, best_value_ = value;
    return true;
  }

 private:
  // What it costs [J] to move every vertex by some roundings of its place: F tells nothing smaller, and what
  // falls freely has an F of nothing else.
  double noise(const Points& x) const {
    constexpr double kRoundings = 4 * 0x1p-52;  // of a coordinate; half or double: no restart more or less
    const Scalars stiffness = stiffness_bound(objective_.energies(), static_cast<int>(x.cols()));
    double noise = 0;
    for (int v = 0; v < x.cols(); ++v)
      noise += 0.5 * (objective_.inertia(v) + stiffness[v]) * x.col(v).squaredNorm();
    return kRoundings * kRoundings * noise;
  }

  const Objective& objective_;
  Points start_, best_;
  double start_value_, best_value_;
};

}  // namespace muslin

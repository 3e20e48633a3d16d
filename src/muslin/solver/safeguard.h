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
  Safeguard(const Objective& objective, const Points& start);

  /// Looks at F(x). If it is above F(start), x becomes the best iterate and the answer is false.
  bool accept(Points& x);

 private:
  double noise(const Points& x) const;

  const Objective& objective_;
  Points start_, best_;
  double start_value_, best_value_;
};

}  // namespace muslin

#pragma once
#include "muslin/core/types.h"

namespace muslin {

/// Tells when cloth has come to rest: at the end of every frame of half a second no vertex was faster than a
/// speed. One frame would not do: what swings stands still where it turns.
class RestWatch {
 public:
  static constexpr double kTime = 0.5;  ///< [s]

  /// `since`: from when on all was so slow already [s].
  explicit RestWatch(double speed, double since = kInfinity) : speed_(speed), since_(since) {}  ///< [m/s]

  /// Looks at a frame's end, at a time [s], with velocities of 3×n; whether the cloth has come to rest.
  bool look(double time, const Points& velocities) {
    const bool is_slow = velocities.colwise().squaredNorm().maxCoeff() <= speed_ * speed_;
    if (!is_slow) since_ = kInfinity;
    if (is_slow && since_ == kInfinity) since_ = time;
    return time - since_ >= kTime - 1e-9;
  }

  /// Since when no vertex was faster at the end of any frame [s]; infinite if one was.
  double since() const { return since_; }

 private:
  double speed_, since_;
};

}  // namespace muslin

#pragma once
#include <optional>

#include "muslin/core/types.h"
#include "muslin/model/settings.h"

namespace muslin {

/// The weights of Chebyshev's semi-iterative method [Golub & Varga 1961, Wang 2016]:
/// x_{k+1} = ω (x̂ − x_{k−1}) + x_{k−1}, x̂ being what the plain method makes of x_k.
///
/// ω needs ρ, the part of the slowest error that a plain iteration leaves. Where no one gives it, it is
/// measured: first by the plain iterations of the beginning, which underrate it because quick errors hide the
/// slow ones, then, again and again, from how much slower the moves shrink than they should; the ρ that
/// explains this is adopted if it is larger [Hageman & Young 1981, ch. 5].
class Chebyshev {
 public:
  /// The first `delay` iterations are plain, and all of them without acceleration.
  Chebyshev(Acceleration acceleration, std::optional<double> rho, int delay);

  /// ω of the next iteration.
  double next();

  /// To be told of every iteration's move, from x to `next`. Returns the largest of a vertex [m].
  double watch(const Points& x, const Points& next);

  /// Begins anew with plain iterations, keeping ρ, after iterates were thrown away.
  void restart();

  /// How far the minimum still is after a last move, if every move is the same part of the one before: what
  /// ρ lets expect, ρ or with acceleration ρ / (1 + √(1−ρ²)), or what was measured.
  double distance_estimate(double last_move) const { return last_move / (1 - rate_); }

  double rho() const { return rho_; }

 private:
  void measure();
  void adopt(double rho);
  void begin_window(int first);
  double expected_rate() const;

  bool accelerated_, estimated_;
  double rho_, rate_;
  int delay_;
  double omega_ = 1;
  int iterations_ = 0;                     // since the beginning or the last restart
  int first_;                              // iteration that has ω = 2/(2−ρ²)
  int window_begin_ = 0, window_end_ = 0;  // iterations between whose moves ρ is measured
  double move_ = 0, move_before_ = 0;      // the last, and the one at the window's beginning
};

}  // namespace muslin

#pragma once
#include <optional>

#include "muslin/core/types.h"
#include "muslin/model/settings.h"

namespace muslin {

/// The weights of Chebyshev's semi-iterative method [Golub & Varga 1961, Wang 2016]:
/// x_{k+1} = ω (x̂ − x_{k−1}) + x_{k−1}, where x̂ is the result of a plain iteration from x_k.
///
/// ω depends on the spectral radius ρ of the plain iteration. If it is not given, it is estimated adaptively
/// [Hageman & Young 1981, ch. 5]: first from the plain iterations at the beginning, which underestimate it,
/// then from how much slower the moves shrink than ρ predicts. A larger estimate replaces ρ.
class Chebyshev {
 public:
  /// The first `delay` iterations are plain; without acceleration, all are.
  Chebyshev(Acceleration acceleration, std::optional<double> rho, int delay);

  /// ω of the next iteration.
  double next();

  /// Records an iteration from x to `next`. Returns the largest move of a vertex [m].
  double watch(const Points& x, const Points& next);

  /// Restarts with plain iterations and the same ρ, after iterates were discarded.
  void restart();

  /// Distance to the minimum after a last move, as a geometric series. Its ratio is ρ, with acceleration
  /// ρ / (1 + √(1−ρ²)), or the measured one.
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

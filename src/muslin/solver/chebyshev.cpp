#include "muslin/solver/chebyshev.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/maths.h"

namespace muslin {

namespace {

// What half and double do: docs/performance/constants.md. kSettling alone decides more than 5 % of the
// iterations.
constexpr double kMostRho = 0.9992;  // more is never trusted: the error of a few hundred iterations
constexpr double kLeastRho = 0.1;    // below, nothing is to be gained
constexpr double kSlowest = 0.999;   // rate of moves beyond which rounding cannot be told from progress
constexpr double kMostGrowth = 8;    // of 1/(1−ρ) by one measurement
constexpr double kSettling = 1.5;    // windows and what precedes them, over 1/√(1−ρ²)
constexpr int kShortestWindow = 4;   // iterations: fewer measure one move against another

}  // namespace

Chebyshev::Chebyshev(Acceleration acceleration, std::optional<double> rho, int delay)
    : accelerated_(acceleration == Acceleration::chebyshev),
      estimated_(!rho),
      rho_(rho.value_or(0)),
      rate_(estimated_ ? kSlowest : expected_rate()),
      delay_(delay),
      first_(delay) {
  restart();
}

double Chebyshev::next() {
  const int k = iterations_++;
  if (!accelerated_ || k < delay_) return omega_ = 1;
  return omega_ = k == first_ ? 2 / (2 - rho_ * rho_) : 4 / (4 - rho_ * rho_ * omega_);
}

double Chebyshev::watch(const Points& x, const Points& next) {
  const Scalars squares = (next - x).colwise().squaredNorm();
  if (estimated_) {
    move_ = std::sqrt(squares.sum());
    if (iterations_ == window_begin_) move_before_ = move_;
    if (iterations_ == window_end_) measure();
  }
  return std::sqrt(squares.maxCoeff());
}

void Chebyshev::restart() {
  iterations_ = 0;
  omega_ = 1;
  first_ = delay_;
  window_begin_ = std::max(1, delay_ / 2);
  window_end_ = std::max(window_begin_ + 1, delay_);
}

// A mode with ρ' > ρ shrinks by the larger root z of z² − ωρ' z + ω − 1 an iteration.
void Chebyshev::measure() {
  double z = move_before_ > 0 ? maths::pow(move_ / move_before_, 1.0 / (window_end_ - window_begin_)) : 0;
  if (!(z < 1)) z = 1;  // growing, or not a number
  const double explained = z > 0 && z < 1 ? (z * z + omega_ - 1) / (omega_ * z) : z;
  if (!accelerated_) {
    rho_ = std::min(z, kSlowest);
    begin_window(iterations_);
  } else if (iterations_ <= first_) {
    adopt(std::max(rho_, 1 - (1 - z) / kMostGrowth));
  } else if (z > expected_rate() && explained > rho_) {
    adopt(std::min(explained, 1 - (1 - rho_) / kMostGrowth));
  } else {
    begin_window(iterations_);
  }
  rate_ = std::max(std::min(z, kSlowest), expected_rate());
}

void Chebyshev::adopt(double rho) {
  rho_ = std::clamp(rho, kLeastRho, kMostRho);
  first_ = iterations_;
  begin_window(first_);
}

// What the change of ω stirred up dies away before the window begins.
void Chebyshev::begin_window(int first) {
  const int length =
      std::max(kShortestWindow, static_cast<int>(std::ceil(kSettling / std::sqrt(1 - rho_ * rho_))));
  window_begin_ = first + length;
  window_end_ = window_begin_ + length;
}

double Chebyshev::expected_rate() const {
  return accelerated_ ? rho_ / (1 + std::sqrt(1 - rho_ * rho_)) : rho_;
}

}  // namespace muslin

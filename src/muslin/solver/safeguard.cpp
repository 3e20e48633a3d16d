#include "muslin/solver/safeguard.h"

namespace muslin {

Safeguard::Safeguard(const Objective& objective, const Points& start)
    : objective_(objective), start_(start), best_(start) {
  start_value_ = best_value_ = objective.value(start);
}

bool Safeguard::accept(Points& x) {
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

// What it costs [J] to move every vertex by some roundings of its place: F tells nothing smaller, and what
// falls freely has an F of nothing else.
double Safeguard::noise(const Points& x) const {
  constexpr double kRoundings = 4 * 0x1p-52;  // of a coordinate; half or double: no restart more or less
  const Scalars stiffness = stiffness_bound(objective_.energies(), static_cast<int>(x.cols()));
  double noise = 0;
  for (int v = 0; v < x.cols(); ++v)
    noise += 0.5 * (objective_.inertia(v) + stiffness[v]) * x.col(v).squaredNorm();
  return kRoundings * kRoundings * noise;
}

}  // namespace muslin

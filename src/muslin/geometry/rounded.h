#pragma once
#include <cmath>
#include <limits>

namespace muslin {

/// A float that is no less than a number, and one that is no more: by more than the roundings of a few sums.
inline float rounded_up(double x) {
  return static_cast<float>(x + std::abs(x) * 0x1p-20) + std::numeric_limits<float>::min();
}
inline float rounded_down(double x) { return -rounded_up(-x); }

}  // namespace muslin

#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "muslin/core/random.h"
#include "muslin/core/types.h"

namespace muslin {

/// Draws numbers one after another. All of them are decided by (seed, id).
struct Draw {
  std::uint64_t seed, id, count = 0;
  double unit() { return random_unit(seed, id, count++); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double scale(double low, double high) { return low * std::pow(high / low, unit()); }
  Vec3 vector() {
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, z};
  }
  /// In [0, 1], often exactly an end: contacts at vertices are the hard ones.
  double weight() { return std::clamp(between(-0.3, 1.3), 0.0, 1.0); }
};

}  // namespace muslin

#include "muslin/linear/diagonal.h"

#include <Eigen/LU>

#include "muslin/core/parallel.h"

namespace muslin {

Mat3 held_block(const Filter::Held& held, const Mat3& block) {
  const double size = block.trace() > 0 ? block.trace() / 3 : 1;
  return held.free * block * held.free + size * (Mat3::Identity() - held.free);
}

void hold_diagonal(const Filter& filter, std::vector<Mat3>& diagonal) {
  for (const Filter::Held& h : filter.held()) diagonal[h.vertex] = held_block(h, diagonal[h.vertex]);
}

bool invert_diagonal(std::vector<Mat3>& diagonal) {
  const int indefinite = parallel_sum(static_cast<int>(diagonal.size()), 0, [&](int i) {
    const Mat3 d = diagonal[i];
    diagonal[i] = d.inverse();
    const bool positive = d(0, 0) > 0 && d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0) > 0 && d.determinant() > 0;
    return positive ? 0 : 1;
  });
  return indefinite == 0;
}

}  // namespace muslin

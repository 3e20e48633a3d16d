#include "muslin/linear/diagonal.h"

#include <Eigen/LU>

namespace muslin {

Mat3 held_block(const Filter::Held& held, const Mat3& block) {
  const double size = block.trace() > 0 ? block.trace() / 3 : 1;
  return held.free * block * held.free + size * (Mat3::Identity() - held.free);
}

void hold_diagonal(const Filter& filter, int vertex, Mat3& block) {
  if (const Filter::Held* held = filter.find(vertex)) block = held_block(*held, block);
}

bool invert(Mat3& block) {
  const Mat3 d = block;
  block = d.inverse();
  return d(0, 0) > 0 && d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0) > 0 && d.determinant() > 0;
}

}  // namespace muslin

#include "muslin/linear/chunk_bound.h"

#include <Eigen/Eigenvalues>

namespace muslin {

namespace {

constexpr double kMostBetweenChunks = 0.8;  // of a diagonal block: what Jacobi between chunks converges with
constexpr double kFloat = 1.2e-7;           // of a number: what blocks of floats may be off by

bool is_symmetric(const Mat3& b) { return b(0, 1) == b(1, 0) && b(0, 2) == b(2, 0) && b(1, 2) == b(2, 1); }

}  // namespace

bool is_positive(const Mat3& b) {
  const double d0 = b(0, 0);
  if (!(d0 > 0)) return false;
  const double l1 = b(1, 0) / d0, l2 = b(2, 0) / d0;
  const double d1 = b(1, 1) - l1 * b(1, 0), e = b(2, 1) - l1 * b(2, 0);
  if (!(d1 > 0)) return false;
  return b(2, 2) - l2 * b(2, 0) - e / d1 * e > 0;
}

// √(B Bᵀ). Most blocks have it at once, to rounding: those of springs and hinges are symmetric and of one
// sign.
Mat3 magnitude(const Mat3& block) {
  if (is_symmetric(block)) {
    const double sign = block.trace() < 0 ? -1 : 1;
    const Mat3 positive = sign * block;
    if (is_positive(positive + kFloat * positive.trace() * Mat3::Identity())) return positive;
  }
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.compute(block * block.transpose());  // the closed form errs by 1e-8, which roots make 1e-4
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() *
         eigen.eigenvectors().transpose();
}

// In the bound's directions, in the metric of D; an indefinite D has none, and counts for nothing: contact
// may make up for it, or else it is found when it is inverted.
Mat3 growth_between_chunks(const Mat3& diagonal, const Mat3& bound) {
  if (bound.isZero(0)) return bound;
  if (!is_positive(diagonal)) return bound / (2 * kMostBetweenChunks);
  if (is_positive(kMostBetweenChunks * diagonal - bound)) return Mat3::Zero();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat3> eigen(bound, diagonal);
  const Vec3& coupling = eigen.eigenvalues();
  const Mat3 directions = diagonal * eigen.eigenvectors();
  return directions * (coupling.array() / kMostBetweenChunks - 1).cwiseMax(0).matrix().asDiagonal() / 2 *
         directions.transpose();
}

}  // namespace muslin

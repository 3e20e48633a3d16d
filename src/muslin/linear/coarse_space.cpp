#include "muslin/linear/coarse_space.h"

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"

namespace muslin {

bool CoarseSpace::prepare(const BlockMatrix& A, const Filter& filter) {
  constexpr double kHeld = 1e-3;  // of a block: stiffness of held directions, so that a held patch has some
  if (pattern_ != A.shared_pattern() && !(pattern_ && *pattern_ == A.pattern())) analyze(A.shared_pattern());
  std::vector<const Mat3*> free(A.rows(), nullptr);
  for (const Filter::Held& h : filter.held()) free[h.vertex] = &h.free;
  matrix_.set_zero();
  parallel_for(
      patches(),
      [&](int p) {
        for (int m = begin_[p]; m < begin_[p + 1]; ++m) {
          const int v = member_[m];
          for (int slot = pattern_->begin[v]; slot < pattern_->begin[v + 1]; ++slot) {
            Mat3& sum = matrix_.block(coarse_slot_[slot]);
            const int other = pattern_->column[slot];
            if (!free[v] && !free[other]) {
              sum += A.block(slot);
              continue;
            }
            Mat3 block = A.block(slot);
            if (free[v]) block = (*free[v] * block).eval();
            if (free[other]) block = (block * *free[other]).eval();
            sum += block;
          }
          if (free[v]) matrix_.diagonal(p) += kHeld * A.diagonal(v).trace() * (Mat3::Identity() - *free[v]);
        }
      },
      64);
  sums_.resize(3, patches());
  return factor_.factorize(matrix_.block(0).data());
}

double CoarseSpace::solve(const Points& r) {
  parallel_for(
      patches(),
      [&](int p) {
        Vec3 sum = Vec3::Zero();
        for (int m = begin_[p]; m < begin_[p + 1]; ++m) sum += r.col(member_[m]);
        sums_.col(p) = sum;
      },
      64);
  shifts_ = sums_;
  factor_.solve(shifts_.reshaped());
  return sums_.cwiseProduct(shifts_).sum();
}

}  // namespace muslin

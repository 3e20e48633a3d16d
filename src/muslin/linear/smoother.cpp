#include "muslin/linear/smoother.h"

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/simd.h"

namespace muslin {

namespace {

void set_lane(float* group, int lane, const Mat3& block) {
  for (int k = 0; k < 9; ++k) group[kGroupRows * k + lane] = static_cast<float>(block.data()[k]);
}

}  // namespace

const SmootherKernels& smoother_kernels() {
  return widest_of(
      KernelsBySimd<SmootherKernels>{plain_smoother_kernels(), avx2_smoother_kernels(), nullptr});
}

void Smoother::set_blocks(int chunk, const FloatBlock* zero_and_blocks) {
  const int first = chunk_group_[chunk], last = chunk_group_[chunk + 1];
  if (first == last) return;
  const int begin = groups_[first].lower, slots = groups_[last - 1].end - begin;
  smoother_kernels().interleave(zero_and_blocks->data(), source_.data() + kGroupRows * begin, slots,
                                blocks_.data() + static_cast<size_t>(kGroupBlock) * begin);
}

bool Smoother::set_diagonal(const std::function<bool(int, Mat3&, Mat3&)>& find) {
  const int indefinite = parallel_sum(
      static_cast<int>(groups_.size()), 0,
      [&](int g) {
        float *inverse_lanes = inverse_.data() + static_cast<size_t>(kGroupBlock) * g,
              *bound_lanes = bound_.data() + static_cast<size_t>(kGroupBlock) * g;
        Mat3 inverse, bound;
        int failed = 0;
        groups_[g].has_bound = false;
        for (int lane = 0; lane < kGroupRows; ++lane) {
          const int i = row_[kGroupRows * g + lane];
          if (i < 0) continue;
          if (!find(i, inverse, bound)) ++failed;
          set_lane(inverse_lanes, lane, inverse);
          set_lane(bound_lanes, lane, bound);
          groups_[g].has_bound |= !bound.isZero(0);
        }
        return failed;
      },
      kChunkRows / kGroupRows);
  return indefinite == 0;
}

void Smoother::set_added(const BlockMatrix* added) {
  added_begin_.clear();
  if (!added) return;
  const BlockPattern& pattern = added->pattern();
  const auto part_of = [&](int i, int j) { return !sweeps(i, j) ? 2 : place_[j] > place_[i] ? 1 : 0; };

  // 1. How many there are of every part
  added_begin_.assign(3 * places() + 1, 0);
  for (int i = 0; i < pattern.rows(); ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
      if (pattern.column[s] != i) ++added_begin_[3 * place_[i] + part_of(i, pattern.column[s]) + 1];
  for (size_t k = 1; k < added_begin_.size(); ++k) added_begin_[k] += added_begin_[k - 1];

  // 2. Where they go
  added_column_.resize(added_begin_.back());
  added_blocks_.resize(added_begin_.back());
  parallel_for(pattern.rows(), [&](int i) {
    const int* begin = added_begin_.data() + 3 * place_[i];
    int next[3] = {begin[0], begin[1], begin[2]};
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
      const int j = pattern.column[s];
      if (j == i) continue;
      const int to = next[part_of(i, j)]++;
      added_column_[to] = kFloats * place_[j];
      added_blocks_[to] = padded(added->block(s));
    }
  });
}

void Smoother::resize(Floats& vector) const {
  if (vector.cols() != places() + 1) vector.setZero(4, places() + 1);
}

// --- sweeps ------------------------------------------------------------------------------------------

AddedRows Smoother::added_rows() const {
  return {added_begin_.data(), added_column_.data(),
          added_blocks_.empty() ? nullptr : added_blocks_[0].data()};
}

SweepJob Smoother::sweep(const Floats& b, Floats& x, Floats& r, const AddedRows& added) const {
  MUSLIN_ASSERT(b.cols() == places() && x.cols() == places() + 1 && r.cols() == places() + 1);
  return {groups_.data(),  column_.data(), blocks_.data(),
          inverse_.data(), bound_.data(),  added_begin_.empty() ? nullptr : &added,
          b.data(),        x.data(),       r.data()};
}

template <class Kernel>
void Smoother::each_chunk(const Kernel& kernel) const {
  parallel_for(
      static_cast<int>(chunk_group_.size()) - 1, [&](int c) { kernel(chunk_group_[c], chunk_group_[c + 1]); },
      1);
}

void Smoother::sweep_forwards(const Floats& b, Floats& x, Floats& r) const {
  const SmootherKernels& kernels = smoother_kernels();
  const AddedRows added = added_rows();
  const SweepJob sweep = this->sweep(b, x, r, added);
  each_chunk([&](int first, int last) { kernels.forwards(sweep, first, last); });
  each_chunk([&](int first, int last) { kernels.subtract_outer(sweep, first, last); });
}

void Smoother::sweep_backwards(const Floats& b, Floats& before, Floats& x) const {
  const SmootherKernels& kernels = smoother_kernels();
  const AddedRows added = added_rows();
  const SweepJob sweep = this->sweep(b, x, before, added);
  each_chunk([&](int first, int last) { kernels.backwards(sweep, first, last); });
}

}  // namespace muslin

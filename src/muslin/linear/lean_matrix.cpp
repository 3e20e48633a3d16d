#include "muslin/linear/lean_matrix.h"

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/simd.h"
#include "muslin/linear/row_kernels.h"

namespace muslin {

const RowKernels& row_kernels() {
  return widest_of(KernelsBySimd<RowKernels>{plain_row_kernels(), avx2_row_kernels(), nullptr});
}

void LeanMatrix::assign(const std::shared_ptr<const BlockPattern>& pattern, const RowSource& source) {
  pattern_ = pattern;
  blocks_.resize(pattern->slots());
  diagonal_.resize(pattern->rows());
  parallel_for(
      chunks_of(rows()),
      [&](int chunk) {
        const int first = chunk * kChunkRows, last = std::min(rows(), first + kChunkRows);
        source({first, last, blocks_.data() + pattern_->begin[first], diagonal_.data() + first,
                /*keeps_sums=*/true});
        for (int i = first; i < last; ++i) blocks_[pattern_->diagonal[i]].setZero();
      },
      1);
}

void LeanMatrix::copy_rows(const RowChunk& rows) const {
  std::copy(blocks_.begin() + pattern_->begin[rows.first], blocks_.begin() + pattern_->begin[rows.last],
            rows.blocks);
  std::copy(diagonal_.begin() + rows.first, diagonal_.begin() + rows.last, rows.diagonal);
}

void LeanMatrix::multiply(const Points& x, Points& y) const {
  MUSLIN_ASSERT(x.cols() == rows() && &x != &y);
  constexpr int kRows = BlockMatrix::kRowGrain;
  y.resize(3, rows());
  parallel_for((rows() + kRows - 1) / kRows,
               [&](int c) { multiply_rows(c * kRows, std::min(rows(), (c + 1) * kRows), x, y); }, 1);
}

void LeanMatrix::multiply_rows(int first, int last, const Points& x, Points& y) const {
  if (first >= last) return;
  row_kernels().multiply({pattern_->begin.data(), pattern_->column.data(), blocks_[0].data(),
                          diagonal_[0].data(), x.data(), y.data()},
                         first, last);
}

}  // namespace muslin

#pragma once
#include <memory>
#include <vector>

#include "muslin/linear/block_matrix.h"
#include "muslin/linear/row_source.h"

namespace muslin {

/// A symmetric matrix of 3×3 blocks as BlockMatrix is, but with floats off the diagonal: a product with it
/// takes as long as to read it. Its rows have the sums that they have in doubles (RowChunk::keeps_sums), so
/// that stiff cloth as a whole moves as freely as its inertia lets it.
class LeanMatrix {
 public:
  LeanMatrix() : pattern_(std::make_shared<BlockPattern>()) {}

  /// Becomes what a source has, of this pattern.
  void assign(const std::shared_ptr<const BlockPattern>& pattern, const RowSource& source);

  int rows() const { return pattern_->rows(); }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  const Mat3& diagonal(int row) const { return diagonal_[row]; }

  /// Gives a chunk of rows to whoever wants them, without those on the diagonal among the blocks.
  void copy_rows(const RowChunk& rows) const;

  /// y = A x, rows in parallel.
  void multiply(const Points& x, Points& y) const;

  /// Rows first … last−1 of y = A x; y has its size already.
  void multiply_rows(int first, int last, const Points& x, Points& y) const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<FloatBlock> blocks_;  ///< one a slot; zero on the diagonal
  std::vector<Mat3> diagonal_;
};

}  // namespace muslin

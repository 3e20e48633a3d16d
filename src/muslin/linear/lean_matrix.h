#pragma once
#include <memory>
#include <vector>

#include "muslin/linear/block_matrix.h"
#include "muslin/linear/row_source.h"

namespace muslin {

/// Symmetric matrix of 3×3 blocks like BlockMatrix, with floats off the diagonal, since the product is
/// limited by reading the matrix. Row sums are those in doubles (RowChunk::keeps_sums): stiff cloth as a
/// whole has to move as freely as its inertia allows.
class LeanMatrix {
 public:
  LeanMatrix() : pattern_(std::make_shared<BlockPattern>()) {}

  /// Copies the matrix of a source, which has this pattern.
  void assign(const std::shared_ptr<const BlockPattern>& pattern, const RowSource& source);

  int rows() const { return pattern_->rows(); }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  const Mat3& diagonal(int row) const { return diagonal_[row]; }

  /// Writes a chunk of rows. The blocks on the diagonal are written separately.
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

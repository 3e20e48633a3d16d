#pragma once
#include <memory>
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// Sparsity pattern of a BlockMatrix in compressed rows. Symmetric, and includes the diagonal.
struct BlockPattern {
  std::vector<int> begin{0};  ///< n+1; row i holds the slots begin[i] … begin[i+1]-1
  std::vector<int> column;    ///< one a slot, ascending within a row
  std::vector<int> diagonal;  ///< n; the slot of block (i, i)

  BlockPattern() = default;
  /// Both blocks of every pair of vertices; pairs may repeat.
  BlockPattern(int rows, const std::vector<Stencil<2>>& pairs);
  /// Rows of these lengths with these columns, ascending, symmetric and with the diagonal.
  BlockPattern(const std::vector<int>& lengths, std::vector<int> columns);

  int rows() const { return static_cast<int>(diagonal.size()); }
  int slots() const { return static_cast<int>(column.size()); }

  /// The slot of block (row, column), or -1.
  int find(int row, int column) const;

  bool operator==(const BlockPattern&) const = default;
};

/// Symmetric 3n×3n matrix of 3×3 blocks, one row and column of blocks a vertex. Both triangles are stored;
/// matrices may share a pattern.
class BlockMatrix {
 public:
  BlockMatrix() : BlockMatrix(std::make_shared<BlockPattern>()) {}
  /// All zero.
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);
  /// One block a slot.
  BlockMatrix(std::shared_ptr<const BlockPattern> pattern, std::vector<Mat3> blocks);

  const BlockPattern& pattern() const { return *pattern_; }
  const std::shared_ptr<const BlockPattern>& shared_pattern() const { return pattern_; }
  int rows() const { return pattern_->rows(); }

  Mat3& block(int slot) { return blocks_[slot]; }
  const Mat3& block(int slot) const { return blocks_[slot]; }
  Mat3& diagonal(int row) { return blocks_[pattern_->diagonal[row]]; }
  const Mat3& diagonal(int row) const { return blocks_[pattern_->diagonal[row]]; }

  void set_zero();
  void add_to_diagonal(int row, double value) { diagonal(row).diagonal().array() += value; }

  /// y = A x, rows in parallel.
  void multiply(const Points& x, Points& y) const;

  /// y += A x
  void multiply_add(const Points& x, Points& y) const;

  /// Rows first … last-1 of y = A x; y must have its size. Blocks are not padded: up to ten thousand
  /// vertices, the product is limited by reading the matrix from the cache.
  void multiply_rows(int first, int last, const Points& x, Points& y) const;

  static constexpr int kRowGrain = 512;  ///< rows a chunk in parallel loops: about 10 µs

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Mat3> blocks_;
};

}  // namespace muslin

#pragma once
#include <functional>
#include <vector>

#include "muslin/linear/block_matrix.h"
#include "muslin/linear/row_source.h"
#include "muslin/linear/smoother_kernels.h"

namespace muslin {

/// Symmetric Gauss–Seidel in floats within chunks of rows, and Jacobi between chunks, so that the bits are
/// the same for any number of threads. Rows of a chunk are coloured and swept by colour, eight rows at once:
/// rows of a colour do not couple. Vectors have one column for each *place*, the position of a row in that
/// order; some places are padding and stay zero.
///
/// A second matrix with a pattern that changes every time may be added. Its couplings between rows that are
/// processed at once are treated as between chunks.
class Smoother {
 public:
  using Floats = Eigen::Matrix<float, 4, Eigen::Dynamic>;

  Smoother() = default;
  explicit Smoother(const BlockPattern& pattern);

  int places() const { return static_cast<int>(row_.size()); }
  int place(int row) const { return place_[row]; }
  int row(int place) const { return row_[place]; }  ///< -1: padding

  /// True if Gauss–Seidel uses block (row, column); false if Jacobi does.
  bool sweeps(int row, int column) const {
    return row / kChunkRows == column / kChunkRows && place_[row] / kGroupRows != place_[column] / kGroupRows;
  }

  /// Sets the off-diagonal blocks of a chunk, slot by slot of the pattern, after one block of zeros.
  void set_blocks(int chunk, const FloatBlock* zero_and_blocks);
  /// Sets the diagonal. find(row, inverse, bound) writes the inverse of the grown diagonal block and its
  /// growth; it returns false if the block is not positive definite, and then so does this.
  bool set_diagonal(const std::function<bool(int, Mat3&, Mat3&)>& find);
  /// Sets the added matrix; null: none.
  void set_added(const BlockMatrix* added);

  /// Sizes x and r, with one more column of zeros that padding reads.
  void resize(Floats& vector) const;

  /// One forward sweep from x = 0, and r = b − A x.
  void sweep_forwards(const Floats& b, Floats& x, Floats& r) const;
  /// One backward sweep from x = `before`.
  void sweep_backwards(const Floats& b, Floats& before, Floats& x) const;

 private:
  static constexpr int kFloats = 4;  ///< a row of a vector

  void order_rows(const BlockPattern& pattern);
  void make_slots(const BlockPattern& pattern);
  AddedRows added_rows() const;
  SweepJob sweep(const Floats& b, Floats& x, Floats& r, const AddedRows& added) const;
  template <class Kernel>
  void each_chunk(const Kernel& kernel) const;

  // set by the constructor
  std::vector<int> place_, row_;
  std::vector<int> chunk_group_;  // chunks+1: the first group of every chunk
  std::vector<RowGroup> groups_;
  std::vector<int> column_;  // eight a slot: where the column's row begins in a vector
  std::vector<int> source_;  // eight a slot: where the block begins in what set_blocks gets
  // set for every matrix
  std::vector<float> blocks_, inverse_, bound_;
  std::vector<int> added_begin_, added_column_;
  std::vector<FloatBlock> added_blocks_;
};

}  // namespace muslin

#pragma once
#include <functional>
#include <vector>

#include "muslin/linear/block_matrix.h"
#include "muslin/linear/row_source.h"
#include "muslin/linear/smoother_kernels.h"

namespace muslin {

/// Symmetric Gauss–Seidel in floats, within chunks of rows; between chunks it is Jacobi's method, so that the
/// bits are the same for any number of threads. The rows of a chunk are coloured, and swept colour by colour,
/// eight rows side by side: rows of a colour do not couple. Vectors have one column a *place*, which is where
/// a row stands in that order; some places are padding, and stay zero.
///
/// Another matrix may be added that has another pattern every time. What it has between rows that go side by
/// side is taken as between chunks.
class Smoother {
 public:
  using Floats = Eigen::Matrix<float, 4, Eigen::Dynamic>;

  Smoother() = default;
  explicit Smoother(const BlockPattern& pattern);

  int places() const { return static_cast<int>(row_.size()); }
  int place(int row) const { return place_[row]; }
  int row(int place) const { return row_[place]; }  ///< -1: padding

  /// Whether Gauss–Seidel takes block (row, column) as it is, and not as Jacobi's method does.
  bool sweeps(int row, int column) const {
    return row / kChunkRows == column / kChunkRows && place_[row] / kGroupRows != place_[column] / kGroupRows;
  }

  /// The blocks off the diagonal of a chunk's rows, slot by slot of the pattern after one block of zeros.
  void set_blocks(int chunk, const FloatBlock* zero_and_blocks);
  /// What find(row, inverse, bound) writes of every row: the inverse of the diagonal, and what bounds that
  /// has more than the matrix. False if find is, of a row whose diagonal is not positive definite.
  bool set_diagonal(const std::function<bool(int, Mat3&, Mat3&)>& find);
  /// Blocks besides; null: none.
  void set_added(const BlockMatrix* added);

  /// Sizes x and r: they have one column more, of zeros, which padding looks at.
  void resize(Floats& vector) const;

  /// x from zero by one sweep, and r = b − A x.
  void sweep_forwards(const Floats& b, Floats& x, Floats& r) const;
  /// x from `before` by one sweep the other way.
  void sweep_backwards(const Floats& b, Floats& before, Floats& x) const;

 private:
  static constexpr int kFloats = 4;  ///< a row of a vector

  void order_rows(const BlockPattern& pattern);
  void make_slots(const BlockPattern& pattern);
  AddedRows added_rows() const;
  SweepJob sweep(const Floats& b, Floats& x, Floats& r, const AddedRows& added) const;
  template <class Kernel>
  void each_chunk(const Kernel& kernel) const;

  // written once
  std::vector<int> place_, row_;
  std::vector<int> chunk_group_;  // chunks+1: the first group of every chunk
  std::vector<RowGroup> groups_;
  std::vector<int> column_;  // eight a slot: where the column's row begins in a vector
  std::vector<int> source_;  // eight a slot: where the block begins in what set_blocks gets
  // for every matrix
  std::vector<float> blocks_, inverse_, bound_;
  std::vector<int> added_begin_, added_column_;
  std::vector<FloatBlock> added_blocks_;
};

}  // namespace muslin

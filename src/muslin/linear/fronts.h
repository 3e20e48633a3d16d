#pragma once
#include <vector>

namespace muslin {

/// Columns of a Cholesky factor that have (nearly) the same rows, eliminated together in one dense matrix.
/// Its local indices are the front's own columns, then its rows.
struct Front {
  /// A block of the matrix that enters here.
  struct Entry {
    int slot;         ///< of the matrix's rows
    int row, column;  ///< local, row ≥ column
  };
  int first, columns;          ///< the places first … first+columns-1 in the order of elimination
  std::vector<int> rows;       ///< places below that these columns touch, ascending
  int parent = -1;             ///< the front that the rows are passed to; -1: none is left
  std::vector<int> in_parent;  ///< the parent's local index of every row
  std::vector<int> children;   ///< ascending
  std::vector<Entry> entries;
  double work = 0;  ///< multiplications, for width 1, of the front and all below it

  int size() const { return columns + static_cast<int>(rows.size()); }
};

/// The symbolic part of a Cholesky factorisation: supernodes of the elimination tree [Liu 1992].
struct FrontTree {
  std::vector<int> order;     ///< order[k]: the row of the matrix that is eliminated k-th
  std::vector<Front> fronts;  ///< children before parents, a subtree without gaps

  /// From the compressed rows of a symmetric n×n matrix, which hold the diagonal.
  FrontTree(int n, const int* begin, const int* column);
  FrontTree() = default;
};

}  // namespace muslin

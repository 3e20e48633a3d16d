#pragma once

// The inner loop of LeanMatrix's product. Plain pointers only: files that include this are compiled for
// instruction sets that the rest of the library must not use.

namespace muslin {

/// A matrix of 3×3 blocks by rows, and vectors of three numbers a row.
struct RowProduct {
  const int *begin, *column;  ///< BlockPattern
  const float* blocks;  ///< of every slot, 4×3, column by column, the fourth row zero; zero on the diagonal
  const double* diagonal;  ///< of every row, 3×3, column by column
  const double* x;
  double* y;
};

struct RowKernels {
  /// Rows first … last−1 of y = A x, summed in doubles: the diagonal, then slot by slot.
  void (*multiply)(const RowProduct& product, int first, int last);
};

/// The kernels chosen for this processor.
const RowKernels& row_kernels();

// One file each; null if it was compiled without that instruction set.
const RowKernels* plain_row_kernels();
const RowKernels* avx2_row_kernels();

}  // namespace muslin

#pragma once

// The inner loop of LeanMatrix's product. Plain pointers alone, as what these files include is compiled for
// processors that the rest of the library may not meet.

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

/// Those in use.
const RowKernels& row_kernels();

// One file each; null where it was not compiled for such processors.
const RowKernels* plain_row_kernels();
const RowKernels* avx2_row_kernels();

}  // namespace muslin

#pragma once

// The inner loops of Gauss–Seidel on eight rows of a colour at once. A lane is a row, so that the register
// width never changes a sum; no fused multiply-add. Plain pointers only: files that include this are compiled
// for instruction sets that the rest of the library must not use.

namespace muslin {

inline constexpr int kGroupRows = 8;  // rows side by side
inline constexpr int kGroupBlock =
    9 * kGroupRows;  // floats: entry by entry of 3×3, column by column, a lane a row

/// Eight rows that do not couple with each other. Their blocks off the diagonal lie in slots, each of one
/// block a row; rows with fewer have zeros at the end of each part.
struct RowGroup {
  int lower;  ///< the first slot of blocks whose columns come earlier in the chunk, …
  int upper;  ///< … later in the chunk, …
  int outer;  ///< … and of those in other chunks, up to
  int end;
  bool has_bound;  ///< whether its diagonal has more than that of the matrix
};

/// Blocks of some rows besides, row by row.
struct AddedRows {
  const int* begin;     ///< three a row, and one: where its lower, upper and outer blocks begin
  const int* column;    ///< one a block: where the column's row begins in a vector, 4 floats a row
  const float* blocks;  ///< 4×3 floats each, column by column; a fourth row of zeros
};

/// Rows of a chunk are the groups first … last−1. Vectors have 4 floats a row, the last of which is zero.
struct SweepJob {
  const RowGroup* groups;
  const int* column;       ///< eight a slot: where the column's row begins in a vector
  const float* blocks;     ///< kGroupBlock floats a slot
  const float* inverse;    ///< kGroupBlock floats a group: of the diagonal D, which has the bound in it
  const float* bound;      ///< likewise, of what D has more than the matrix
  const AddedRows* added;  ///< null without
  const float* b;
  float *x, *r;
};

struct SmootherKernels {
  /// x = (D + L)⁻¹ b with L the lower blocks, and r = (bound − U) x with U the upper ones.
  void (*forwards)(const SweepJob& sweep, int first, int last);
  /// r −= O x with O the outer blocks: then r = b − A x.
  void (*subtract_outer)(const SweepJob& sweep, int first, int last);
  /// x = (D + U)⁻¹ (b + bound r − (L + O) r), where r is the iterate before.
  void (*backwards)(const SweepJob& sweep, int first, int last);
  /// Slots of eight blocks side by side, `to`, from blocks of 4×3 floats, which begin at `at`, eight a slot.
  void (*interleave)(const float* blocks, const int* at, int slots, float* to);
};

/// The kernels chosen for this processor. Eight lanes fill an AVX2 register; wider ones gain nothing.
const SmootherKernels& smoother_kernels();

// One file each; null if it was compiled without that instruction set.
const SmootherKernels* plain_smoother_kernels();
const SmootherKernels* avx2_smoother_kernels();

}  // namespace muslin

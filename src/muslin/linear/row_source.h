#pragma once
#include <functional>

#include "muslin/core/types.h"

namespace muslin {

/// Rows of a block matrix that are smoothed one after another, and made at once: a chunk.
inline constexpr int kChunkRows = 1024;
inline int chunks_of(int rows) { return (rows + kChunkRows - 1) / kChunkRows; }

/// A block of floats. A fourth row of zeros lets a column fill a register of 128 bits.
using FloatBlock = Eigen::Matrix<float, 4, 3>;

inline FloatBlock padded(const Mat3& block) {
  FloatBlock result;
  result << block.cast<float>(), Eigen::RowVector3f::Zero();
  return result;
}

/// Rows first … last−1 of a block matrix, on their way into a multigrid cycle or a LeanMatrix: one chunk.
struct RowChunk {
  int first, last;
  FloatBlock*
      blocks;      ///< slot by slot of the pattern, from row `first` on; those of the diagonal follow from
  Mat3* diagonal;  ///<   this, one a row, in doubles: what inertia adds to a stiff cloth is lost in floats
  bool keeps_sums = false;  ///< what roundings to floats take from the sum of a row, its diagonal gets back
};

/// Writes the blocks and the diagonal of a chunk. Called for all chunks, on any thread.
using RowSource = std::function<void(const RowChunk& rows)>;

}  // namespace muslin

#pragma once
#include <functional>

#include "muslin/core/types.h"

namespace muslin {

/// Rows a chunk: they are assembled together and smoothed one after another.
inline constexpr int kChunkRows = 1024;
inline int chunks_of(int rows) { return (rows + kChunkRows - 1) / kChunkRows; }

/// Block of floats. A fourth row of zeros lets each column fill a 128-bit register.
using FloatBlock = Eigen::Matrix<float, 4, 3>;

inline FloatBlock padded(const Mat3& block) {
  FloatBlock result;
  result << block.cast<float>(), Eigen::RowVector3f::Zero();
  return result;
}

/// A chunk, rows first … last−1 of a block matrix, handed to a multigrid cycle or a LeanMatrix.
struct RowChunk {
  int first, last;
  FloatBlock* blocks;       ///< slot by slot of the pattern, from row `first` on; its diagonal follows from
  Mat3* diagonal;           ///<   this, one a row, in doubles: floats would lose inertia beside stiff cloth
  bool keeps_sums = false;  ///< the diagonal absorbs the rounding errors of its row, which keeps row sums
};

/// Writes the blocks and the diagonal of a chunk. Called once for every chunk, from any thread.
using RowSource = std::function<void(const RowChunk& rows)>;

}  // namespace muslin

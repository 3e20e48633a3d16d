#pragma once
#include <algorithm>
#include <vector>

#include "muslin/core/parallel.h"
#include "muslin/linear/block_matrix.h"

namespace muslin {

/// Builds a block matrix of n rows. `fill(i, add)` calls add(column, block) for row i in any order; blocks of
/// one column are summed, and the result must be symmetric. For patterns used by one matrix only. Rows run in
/// parallel, with the same bits for any number of threads.
template <class Fill>
BlockMatrix assemble_rows(int n, const Fill& fill) {
  // Rows a chunk, which needs memory for every column. With 512, coarse levels ran on one thread.
  const int rows = std::max(64, n / 64);
  struct Chunk {
    std::vector<int> length, column;  // one a row, one a block
    std::vector<Mat3> block;
  };
  std::vector<Chunk> chunks((n + rows - 1) / rows);
  parallel_for(
      static_cast<int>(chunks.size()),
      [&](int c) {
        Chunk& chunk = chunks[c];
        std::vector<int> place(n, -1), columns;  // of every column among the blocks; of this row
        std::vector<Mat3> blocks;
        const auto add = [&](int column, const Mat3& block) {
          if (place[column] < 0) {
            place[column] = static_cast<int>(columns.size());
            columns.push_back(column);
            blocks.push_back(block);
          } else {
            blocks[place[column]] += block;
          }
        };
        for (int i = c * rows; i < std::min(n, (c + 1) * rows); ++i) {
          columns.clear();
          blocks.clear();
          add(i, Mat3::Zero());
          fill(i, add);
          std::sort(columns.begin(), columns.end());
          for (const int column : columns) {
            chunk.column.push_back(column);
            chunk.block.push_back(blocks[place[column]]);
            place[column] = -1;
          }
          chunk.length.push_back(static_cast<int>(columns.size()));
        }
      },
      1);

  size_t slots = 0;
  for (const Chunk& chunk : chunks) slots += chunk.block.size();
  std::vector<int> length, column;
  std::vector<Mat3> block;
  length.reserve(n);
  column.reserve(slots);
  block.reserve(slots);
  for (const Chunk& chunk : chunks) {
    length.insert(length.end(), chunk.length.begin(), chunk.length.end());
    column.insert(column.end(), chunk.column.begin(), chunk.column.end());
    block.insert(block.end(), chunk.block.begin(), chunk.block.end());
  }
  return BlockMatrix(std::make_shared<BlockPattern>(length, std::move(column)), std::move(block));
}

}  // namespace muslin

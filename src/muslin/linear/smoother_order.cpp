#include <algorithm>

#include "muslin/linear/smoother.h"

// The order of rows of a Smoother, written once.

namespace muslin {

namespace {

// The least colour that no neighbour in the chunk has, row by row.
std::vector<int> coloured(const BlockPattern& pattern) {
  const int n = pattern.rows();
  std::vector<int> colour(n, -1), taken;  // by which row a colour was seen last
  for (int i = 0; i < n; ++i) {
    for (int s = pattern.begin[i]; s < pattern.diagonal[i]; ++s) {
      const int j = pattern.column[s];
      if (j / kChunkRows != i / kChunkRows) continue;
      if (colour[j] >= static_cast<int>(taken.size())) taken.resize(colour[j] + 1, -1);
      taken[colour[j]] = i;
    }
    colour[i] = static_cast<int>(std::find_if(taken.begin(), taken.end(), [&](int by) { return by != i; }) -
                                 taken.begin());
  }
  return colour;
}

}  // namespace

Smoother::Smoother(const BlockPattern& pattern) {
  order_rows(pattern);
  make_slots(pattern);
}

// Chunk by chunk, colour by colour; every colour is padded to whole groups.
void Smoother::order_rows(const BlockPattern& pattern) {
  const int n = pattern.rows();
  const std::vector<int> colour = coloured(pattern);
  place_.resize(n);
  chunk_group_ = {0};
  for (int first = 0; first < n; first += kChunkRows) {
    std::vector<int> rows(std::min(n - first, kChunkRows));
    for (size_t k = 0; k < rows.size(); ++k) rows[k] = first + static_cast<int>(k);
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return colour[a] < colour[b]; });
    for (size_t k = 0; k < rows.size(); ++k) {
      if (k > 0 && colour[rows[k]] != colour[rows[k - 1]])
        while (row_.size() % kGroupRows != 0) row_.push_back(-1);
      place_[rows[k]] = places();
      row_.push_back(rows[k]);
    }
    while (row_.size() % kGroupRows != 0) row_.push_back(-1);
    chunk_group_.push_back(places() / kGroupRows);
  }
}

void Smoother::make_slots(const BlockPattern& pattern) {
  struct Block {
    int column, source;
  };
  const int group_count = places() / kGroupRows;
  groups_.resize(group_count);
  for (int g = 0; g < group_count; ++g) {
    std::vector<Block> blocks[3][kGroupRows];  // lower, upper, outer
    size_t width[3] = {0, 0, 0};
    for (int lane = 0; lane < kGroupRows; ++lane) {
      const int i = row_[kGroupRows * g + lane];
      if (i < 0) continue;
      const int chunk_slot = pattern.begin[i / kChunkRows * kChunkRows];
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
        const int j = pattern.column[s];
        if (j == i) continue;
        const int part = j / kChunkRows != i / kChunkRows ? 2 : place_[j] > place_[i] ? 1 : 0;
        std::vector<Block>& list = blocks[part][lane];
        list.push_back({kFloats * place_[j], 12 * (1 + s - chunk_slot)});
        width[part] = std::max(width[part], list.size());
      }
    }
    int at[4] = {static_cast<int>(column_.size()) / kGroupRows, 0, 0, 0};
    for (int part = 0; part < 3; ++part) {
      at[part + 1] = at[part] + static_cast<int>(width[part]);
      for (size_t k = 0; k < width[part]; ++k)
        for (int lane = 0; lane < kGroupRows; ++lane) {
          const std::vector<Block>& list = blocks[part][lane];
          column_.push_back(k < list.size() ? list[k].column : kFloats * places());
          source_.push_back(k < list.size() ? list[k].source : 0);
        }
    }
    groups_[g] = {at[0], at[1], at[2], at[3], false};
  }
  blocks_.resize(9 * column_.size());
  inverse_.assign(static_cast<size_t>(kGroupBlock) * group_count, 0);
  bound_ = inverse_;
}

}  // namespace muslin

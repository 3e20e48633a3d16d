#include "muslin/linear/coarse_product.h"

#include <algorithm>

namespace muslin {

void CoarseProduct::add_up(const RowChunk& rows, std::vector<FloatBlock>& row) {
  const BlockPattern& pattern = *fine_;
  const int chunk = rows.first / kChunkRows;
  std::fill(part_.begin() + part_begin_[chunk], part_.begin() + part_begin_[chunk + 1], FloatBlock::Zero());
  const FloatBlock* block = rows.blocks;
  for (int v = rows.first; v < rows.last; ++v) {
    // 1. The row of A P
    const int length = length_[v];
    row.assign(length, FloatBlock::Zero());
    const int* place = place_.data() + entry_[v];
    for (int s = pattern.begin[v]; s < pattern.begin[v + 1]; ++s, ++block)
      for (int k = begin_[pattern.column[s]]; k < begin_[pattern.column[s] + 1]; ++k)
        row[*place++] += weight_[k] * *block;

    // 2. To the row's own aggregates
    for (int k = begin_[v]; k < begin_[v + 1]; ++k) {
      const int* part = part_place_.data() + part_entry_[k];
      for (int c = upper_[k]; c < length; ++c) part_[*part++] += weight_[k] * row[c];
    }
  }
}

void CoarseProduct::sum(const RowChunk& rows) const {
  FloatBlock* to = rows.blocks;
  for (int a = rows.first; a < rows.last; ++a)
    for (int s = coarse_->begin[a]; s < coarse_->begin[a + 1]; ++s, ++to) {
      const int upper = upper_slot_[s] >= 0 ? upper_slot_[s] : -1 - upper_slot_[s];
      FloatBlock sum = FloatBlock::Zero();  // of what chunks add, in their order
      for (int k = from_begin_[upper]; k < from_begin_[upper + 1]; ++k) sum += part_[from_[k]];
      if (upper_slot_[s] < 0) sum.topRows<3>() = sum.topRows<3>().transpose().eval();
      if (s == coarse_->diagonal[a]) rows.diagonal[a - rows.first] = sum.topRows<3>().cast<double>();
      *to = sum;
    }
}

}  // namespace muslin

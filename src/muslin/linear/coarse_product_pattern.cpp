#include <algorithm>

#include "muslin/linear/coarse_product.h"

// What of A goes where in Pᵀ A P, written once.

namespace muslin {

CoarseProduct::CoarseProduct(std::shared_ptr<const BlockPattern> fine, const Prolongator& P)
    : fine_(std::move(fine)),
      begin_(P.begin),
      aggregate_(P.column),
      weight_(P.weight.begin(), P.weight.end()) {
  const Columns columns = find_product_rows();
  const Prolongator up = transposed(P);
  std::vector<Stencil<2>> pairs;  // of aggregates that meet in a row of A P
  std::vector<int> last(P.coarse, -1);
  for (int a = 0; a < P.coarse; ++a)
    for (int k = up.begin[a]; k < up.begin[a + 1]; ++k)
      for (const int other : columns[up.column[k]]) {
        if (other > a && last[other] != a) pairs.push_back({a, other});
        last[other] = a;
      }
  coarse_ = std::make_shared<BlockPattern>(P.coarse, pairs);
  make_parts(columns);
}

// The aggregates in every row of A P, ascending, and where each block of A goes there.
CoarseProduct::Columns CoarseProduct::find_product_rows() {
  const BlockPattern& pattern = *fine_;
  Columns columns(pattern.rows());
  std::vector<int> row;
  entry_ = {0};
  for (int v = 0; v < pattern.rows(); ++v) {
    row.clear();
    for (int s = pattern.begin[v]; s < pattern.begin[v + 1]; ++s)
      row.insert(row.end(), aggregate_.begin() + begin_[pattern.column[s]],
                 aggregate_.begin() + begin_[pattern.column[s] + 1]);
    std::vector<int>& reached = columns[v] = row;
    std::sort(reached.begin(), reached.end());
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    for (const int a : row)
      place_.push_back(
          static_cast<int>(std::lower_bound(reached.begin(), reached.end(), a) - reached.begin()));
    entry_.push_back(static_cast<int>(place_.size()));
    length_.push_back(static_cast<int>(reached.size()));
  }
  return columns;
}

void CoarseProduct::make_parts(const Columns& columns) {
  // 1. The blocks of the product that a chunk adds to, in the order in which it meets them
  const int n = fine_->rows();
  std::vector<int> part_of(coarse_->slots(), -1), slot_of;  // of a slot in this chunk; of a part
  part_begin_ = {0};
  for (int v = 0; v < n; ++v) {
    for (int k = begin_[v]; k < begin_[v + 1]; ++k) {
      const std::vector<int>& row = columns[v];
      const auto first = std::lower_bound(row.begin(), row.end(), aggregate_[k]);
      upper_.push_back(static_cast<int>(first - row.begin()));
      part_entry_.push_back(static_cast<int>(part_place_.size()));
      for (auto column = first; column != row.end(); ++column) {
        const int slot = coarse_->find(aggregate_[k], *column);
        if (part_of[slot] < part_begin_.back()) {
          part_of[slot] = static_cast<int>(slot_of.size());
          slot_of.push_back(slot);
        }
        part_place_.push_back(part_of[slot]);
      }
    }
    if ((v + 1) % kChunkRows == 0 || v + 1 == n) part_begin_.push_back(static_cast<int>(slot_of.size()));
  }
  part_.resize(slot_of.size());

  // 2. What each block is the sum of
  from_begin_.assign(coarse_->slots() + 1, 0);
  for (const int slot : slot_of) ++from_begin_[slot + 1];
  for (int s = 0; s < coarse_->slots(); ++s) from_begin_[s + 1] += from_begin_[s];
  from_.resize(slot_of.size());
  std::vector<int> next(from_begin_.begin(), from_begin_.end() - 1);
  for (size_t k = 0; k < slot_of.size(); ++k) from_[next[slot_of[k]]++] = static_cast<int>(k);
  upper_slot_.resize(coarse_->slots());
  for (int a = 0; a < coarse_->rows(); ++a)
    for (int s = coarse_->begin[a]; s < coarse_->begin[a + 1]; ++s)
      upper_slot_[s] = coarse_->column[s] >= a ? s : -1 - coarse_->find(coarse_->column[s], a);
}

}  // namespace muslin

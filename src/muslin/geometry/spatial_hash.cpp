#include "muslin/geometry/spatial_hash.h"

#include "muslin/core/check.h"

namespace muslin {

SpatialHash::SpatialHash(const Points& positions, double cell_size) : cell_size_(cell_size) {
  MUSLIN_ASSERT(cell_size > 0);
  const int n = static_cast<int>(positions.cols());
  size_t buckets = 16;
  while (buckets < 2 * static_cast<size_t>(n)) buckets *= 2;
  begin_.assign(buckets + 1, 0);
  entries_.resize(n);

  // Counting sort: points of a bucket follow one another in ascending order.
  std::vector<std::uint64_t> bucket(n);
  for (int i = 0; i < n; ++i) {
    bucket[i] = bucket_of(cell_of(positions.col(i)));
    ++begin_[bucket[i] + 1];
  }
  for (size_t b = 0; b < buckets; ++b) begin_[b + 1] += begin_[b];
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (int i = 0; i < n; ++i)
    entries_[next[bucket[i]]++] = {key_of(cell_of(positions.col(i))), i, positions.col(i)};
}

}  // namespace muslin

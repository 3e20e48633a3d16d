#include "muslin/geometry/spatial_hash.h"

namespace muslin {

SpatialHash::SpatialHash(const Points& positions, double cell_size)
    : positions_(positions), cell_size_(cell_size) {
  const int n = static_cast<int>(positions.cols());
  size_t buckets = 16;
  while (buckets < 2 * static_cast<size_t>(n)) buckets *= 2;
  begin_.assign(buckets + 1, 0);
  cell_of_point_.resize(n);
  point_.resize(n);

  // Counting sort: points of a bucket follow one another in ascending order.
  std::vector<size_t> bucket(n);
  for (int i = 0; i < n; ++i) {
    cell_of_point_[i] = cell_of(positions.col(i));
    bucket[i] = bucket_of(cell_of_point_[i]);
    ++begin_[bucket[i] + 1];
  }
  for (size_t b = 0; b < buckets; ++b) begin_[b + 1] += begin_[b];
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (int i = 0; i < n; ++i) point_[next[bucket[i]]++] = i;
}

size_t SpatialHash::bucket_of(const Cell& cell) const {
  // Three large odd multipliers mix the coordinates [Teschner 2003]; the table's size is a power of two.
  const std::uint64_t mixed = static_cast<std::uint64_t>(cell[0]) * 0x9E3779B97F4A7C15u ^
                              static_cast<std::uint64_t>(cell[1]) * 0xC2B2AE3D27D4EB4Fu ^
                              static_cast<std::uint64_t>(cell[2]) * 0x165667B19E3779F9u;
  return (mixed ^ mixed >> 29) & (begin_.size() - 2);
}

}  // namespace muslin

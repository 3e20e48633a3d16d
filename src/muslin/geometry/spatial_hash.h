#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// Points sorted into cubic cells, so that all points within one cell size of a place are found by looking
/// into the 27 cells around it [Teschner 2003]. Order and result depend on the positions alone.
class SpatialHash {
 public:
  /// `positions` must be finite; `cell_size` > 0 [m].
  SpatialHash(const Points& positions, double cell_size);

  /// visit(j, x_j) for every point j with |x_j − place| < radius, radius ≤ cell size; cells in fixed order,
  /// j ascending within a cell.
  template <class Visit>
  void for_each_within(const Vec3& place, double radius, const Visit& visit) const {
    const Cell middle = cell_of(place);
    for (std::int64_t z = middle[2] - 1; z <= middle[2] + 1; ++z)
      for (std::int64_t y = middle[1] - 1; y <= middle[1] + 1; ++y)
        for (std::int64_t x = middle[0] - 1; x <= middle[0] + 1; ++x) {
          const Cell cell{x, y, z};
          const std::uint64_t key = key_of(cell);
          const std::uint64_t bucket = bucket_of(cell);
          for (int k = begin_[bucket]; k < begin_[bucket + 1]; ++k)
            if (entries_[k].key == key && (entries_[k].position - place).squaredNorm() < radius * radius)
              visit(entries_[k].point, entries_[k].position);
        }
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Entry {
    std::uint64_t key;
    int point;
    Vec3 position;
  };

  Cell cell_of(const Vec3& place) const {
    // Far-away points share the outermost cells, so that floor stays within the integers.
    const auto index = [&](double x) {
      return static_cast<std::int64_t>(std::floor(std::clamp(x / cell_size_, -1e15, 1e15)));
    };
    return {index(place.x()), index(place.y()), index(place.z())};
  }
  // Cells 2²¹ apart share a key; they are never both among 27 neighbours, and the distance tells their points
  // apart.
  static std::uint64_t key_of(const Cell& cell) {
    constexpr std::uint64_t mask = (1u << 21) - 1;
    return (cell[0] & mask) | (cell[1] & mask) << 21 | (cell[2] & mask) << 42;
  }
  // Cells that follow one another along x have buckets that do, too: a row of three is read in one go.
  std::uint64_t bucket_of(const Cell& cell) const {
    const std::uint64_t row = static_cast<std::uint64_t>(cell[1]) * 0xC2B2AE3D27D4EB4Fu ^
                              static_cast<std::uint64_t>(cell[2]) * 0x165667B19E3779F9u;
    return ((row >> 20) + static_cast<std::uint64_t>(cell[0])) & (begin_.size() - 2);
  }

  double cell_size_;
  std::vector<int> begin_;  ///< first entry of each bucket; their number is a power of two
  std::vector<Entry> entries_;
};

}  // namespace muslin

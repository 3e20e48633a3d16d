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
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy) look_into_row(middle, dy, dz, -1, place, radius, visit);
  }

  /// The same of point i at its place, but of every pair of points for one of the two alone.
  template <class Visit>
  void for_each_once_within(int i, const Vec3& place, double radius, const Visit& visit) const {
    const Cell middle = cell_of(place);
    look_into_row(middle, 0, 0, 0, place, radius, [&](int j, const Vec3& other) {
      if (j > i || cell_of(other) != middle) visit(j, other);
    });
    look_into_row(middle, 1, 0, -1, place, radius, visit);
    for (int dy = -1; dy <= 1; ++dy) look_into_row(middle, dy, 1, -1, place, radius, visit);
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Entry {
    std::uint64_t key;
    int point;
    Vec3 position;
  };

  // Cells of a row of three, from `first` (−1 or 0) on.
  template <class Visit>
  void look_into_row(const Cell& middle, int dy, int dz, int first, const Vec3& place, double radius,
                     const Visit& visit) const {
    const std::int64_t y = middle[1] + dy, z = middle[2] + dz;
    const std::uint64_t row = row_of(y, z), mask = begin_.size() - 2;
    for (std::int64_t x = middle[0] + first; x <= middle[0] + 1; ++x) {
      const std::uint64_t bucket = (row + static_cast<std::uint64_t>(x)) & mask;
      const int end = begin_[bucket + 1];
      if (begin_[bucket] == end) continue;
      const std::uint64_t key = key_of({x, y, z});
      for (int k = begin_[bucket]; k < end; ++k)
        if (entries_[k].key == key && (entries_[k].position - place).squaredNorm() < radius * radius)
          visit(entries_[k].point, entries_[k].position);
    }
  }

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
  static std::uint64_t row_of(std::int64_t y, std::int64_t z) {
    return (static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu ^
            static_cast<std::uint64_t>(z) * 0x165667B19E3779F9u) >>
           20;
  }
  std::uint64_t bucket_of(const Cell& cell) const {
    return (row_of(cell[1], cell[2]) + static_cast<std::uint64_t>(cell[0])) & (begin_.size() - 2);
  }

  double cell_size_;
  std::vector<int> begin_;  ///< first entry of each bucket; their number is a power of two
  std::vector<Entry> entries_;
};

}  // namespace muslin

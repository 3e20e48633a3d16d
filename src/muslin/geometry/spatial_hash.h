#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// Points sorted into cubic cells, so that all points within one cell size of a place are found by looking
/// into the 27 cells around it. Order and result depend on the positions alone.
class SpatialHash {
 public:
  /// `positions` must be finite and outlive the hash; `cell_size` > 0 [m].
  SpatialHash(const Points& positions, double cell_size);

  /// visit(j) for every point j with |x_j − place| < radius, radius ≤ cell size; cells in fixed order, j
  /// ascending within a cell.
  template <class Visit>
  void for_each_within(const Vec3& place, double radius, const Visit& visit) const {
    const Cell middle = cell_of(place);
    Cell cell;
    for (cell[0] = middle[0] - 1; cell[0] <= middle[0] + 1; ++cell[0])
      for (cell[1] = middle[1] - 1; cell[1] <= middle[1] + 1; ++cell[1])
        for (cell[2] = middle[2] - 1; cell[2] <= middle[2] + 1; ++cell[2]) {
          const size_t bucket = bucket_of(cell);
          for (int k = begin_[bucket]; k < begin_[bucket + 1]; ++k) {
            const int j = point_[k];
            if (cell_of_point_[j] == cell && (positions_.col(j) - place).squaredNorm() < radius * radius)
              visit(j);
          }
        }
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cell_of(const Vec3& place) const {
    // Far-away points share the outermost cells: floor stays within the integers.
    const auto index = [&](double x) {
      return static_cast<std::int64_t>(std::floor(std::min(1e15, std::max(-1e15, x / cell_size_))));
    };
    return {index(place.x()), index(place.y()), index(place.z())};
  }
  size_t bucket_of(const Cell& cell) const;

  const Points& positions_;
  double cell_size_;
  std::vector<Cell> cell_of_point_;
  std::vector<int> begin_;  ///< first entry of each bucket in point_
  std::vector<int> point_;
};

}  // namespace muslin

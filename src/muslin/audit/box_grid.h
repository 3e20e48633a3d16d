#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "muslin/core/parallel.h"
#include "muslin/core/scratch_pool.h"
#include "muslin/core/types.h"

namespace muslin {

/// An axis-parallel box, its surface included.
struct Extent {
  Vec3 low, high;  ///< [m]

  void take_in(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  bool overlaps(const Extent& other) const {  // without branches, which no processor foretells
    bool all = true;
    for (int k = 0; k < 3; ++k) {
      all &= low[k] <= other.high[k];
      all &= other.low[k] <= high[k];
    }
    return all;
  }
};

/// The box of some vertices, grown by a margin on all sides [m].
template <std::size_t N>
Extent box_of(const Points& positions, const std::array<int, N>& vertices, double margin = 0) {
  Extent box{positions.col(vertices[0]), positions.col(vertices[0])};
  for (const int v : vertices) box.take_in(positions.col(v));
  return {box.low.array() - margin, box.high.array() + margin};
}

/// Finds the boxes that overlap another, by a grid of cells a little wider than the boxes are on average. It
/// refers to the boxes that it is made of.
class BoxGrid {
 public:
  explicit BoxGrid(const std::vector<Extent>& boxes);

  const std::vector<Extent>& boxes() const { return boxes_; }

  /// The boxes from number `first` on that overlap `box`, ascending.
  void find(const Extent& box, int first, std::vector<int>& found) const;

 private:
  using Cell = Eigen::Vector3i;
  struct Cells {
    Cell low, high;
    std::int64_t count;
  };

  Cells cells_of(const Extent& box) const;
  std::uint32_t bucket_of(int x, int y, int z) const;
  template <class Visit>
  void visit_buckets(const Cells& cells, const Visit& visit) const;

  const std::vector<Extent>& boxes_;
  Extent bounds_{Vec3::Zero(), Vec3::Zero()};
  double cell_size_ = 1;  // [m]
  // Items of bucket b are item_[begin_[b]] … item_[begin_[b+1]-1]; several cells may share a bucket.
  std::vector<int> begin_, item_;
  std::vector<int> large_;  // boxes of too many cells
};

/// All (i, j), j from first_of(i) on, for which body(i, j) is true, among those whose boxes i of `queries`
/// and j of `grid` overlap; sorted.
template <class First, class Body>
std::vector<std::pair<int, int>> find_pairs_from(const First& first_of, const std::vector<Extent>& queries,
                                                 const BoxGrid& grid, const Body& body) {
  ScratchPool<std::vector<int>> memory;
  return parallel_collect<std::pair<int, int>>(
      static_cast<int>(queries.size()),
      [&](int i, auto& pairs) {
        memory.with([&](std::vector<int>& near) {
          grid.find(queries[i], first_of(i), near);
          for (const int j : near)
            if (body(i, j)) pairs.emplace_back(i, j);
        });
      },
      256);
}

/// All (i, j) for which body(i, j) is true, among those whose boxes i of `queries` and j of `grid` overlap;
/// sorted.
template <class Body>
std::vector<std::pair<int, int>> find_pairs(const std::vector<Extent>& queries, const BoxGrid& grid,
                                            const Body& body) {
  return find_pairs_from([](int) { return 0; }, queries, grid, body);
}

/// The same among the boxes of the grid: i < j.
template <class Body>
std::vector<std::pair<int, int>> find_pairs(const BoxGrid& grid, const Body& body) {
  return find_pairs_from([](int i) { return i + 1; }, grid.boxes(), grid, body);
}

}  // namespace muslin

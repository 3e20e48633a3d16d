#pragma once
#include <algorithm>
#include <vector>

#include "muslin/core/parallel.h"
#include "muslin/solver/position/kernels.h"

namespace muslin {

/// One of the two layouts of a grid's numbers: rows of `lanes` numbers, `along` rows; chains go from row to
/// row. The grid itself has chains along v (columns), its transpose along u.
struct LineLayout {
  int along = 0, lanes = 0;
  std::ptrdiff_t pitch = 0;  ///< from row to row: lanes and padding on both sides
  std::vector<float> place[3], start[3], inverse_mass;
  std::vector<float> factors;  ///< of bending along the chains; empty: none
  float bend_shift = 0;

  void resize(int rows, int columns);
  std::ptrdiff_t at(int row, int lane) const { return row * pitch + lane + kPadding; }
  Planes places() { return {place[0].data(), place[1].data(), place[2].data()}; }
  Planes starts() { return {start[0].data(), start[1].data(), start[2].data()}; }

  /// Rewrites the places of another layout, whose rows are this one's lanes.
  void turn(const LineLayout& from, const std::vector<float> (&planes)[3], std::vector<float> (&to)[3]);

  static constexpr int kTile = 16;     ///< elements a side: a tile of both layouts stays in the cache
  static constexpr int kPadding = 16;  ///< before a row; after it there are at least kMostLanes
};

/// Calls body(0) … body(count − 1), which must not meet: on all threads if so many vertices are worth it.
template <class Body>
void for_all_lines(int vertices, int count, const Body& body) {
  constexpr int kWorthThreads = 16'384;  // below, starting threads costs more than they take over
  if (vertices >= kWorthThreads)
    parallel_for(count, body, 1);
  else
    for (int k = 0; k < count; ++k) body(k);
}

/// Chains side by side: of lane l, vertex k is element first + l + k · (reach · pitch + slope).
struct ChainGroup {
  int begin;             ///< lane at which it would begin in row 0
  int from;              ///< first row
  int vertices;          ///< in each chain
  std::ptrdiff_t first;  ///< lane 0 in row `from`
};

/// Calls body(ChainGroup) for all chains of a layout that go `reach` rows and `slope` lanes a vertex, `width`
/// at once; reach is 1 unless slope is 0. Of slanted chains a group begins in the padding or leaves into it;
/// groups never share an element, so that threads share the groups.
template <class Body>
void for_all_chains(const LineLayout& layout, int reach, int slope, int width, const Body& body) {
  const int n = layout.along, lanes = layout.lanes;
  const int least = slope > 0 ? -(n - 1) : 0;
  const int groups = ((slope == 0 ? lanes : lanes + n - 1) + width - 1) / width;
  for_all_lines(n * lanes, groups, [&](int group) {
    const int begin = least + group * width;
    if (slope == 0) {
      for (int row = 0; row < reach; ++row) {
        const int vertices = (n - row + reach - 1) / reach;
        if (vertices > 1) body(ChainGroup{begin, row, vertices, layout.at(row, begin)});
      }
      return;
    }
    // Rows in which the group meets the grid: begin + slope·k + width > 0 and begin + slope·k < lanes.
    const int from = slope > 0 ? std::max(0, 1 - width - begin) : std::max(0, begin - lanes + 1);
    const int to = slope > 0 ? std::min(n - 1, lanes - 1 - begin) : std::min(n - 1, begin + width - 1);
    if (to > from) body(ChainGroup{begin, from, to - from + 1, layout.at(from, begin + slope * from)});
  });
}

/// Memory of this thread for so many floats, until the next call.
float* line_scratch(size_t size);

}  // namespace muslin

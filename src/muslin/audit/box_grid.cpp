#include "muslin/audit/box_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {

namespace {
// Of a cell, over the boxes' mean width. To find what meets in a sheet of 200 000 triangles takes a quarter
// more time with 1, and a twentieth less with 3, which takes as much more where the sheet is crumpled.
constexpr double kCellWidth = 2;
constexpr std::int64_t kMostCells = 512;  // of one box
constexpr double kLastCell = 1 << 20;     // along one axis
}  // namespace

BoxGrid::BoxGrid(const std::vector<Extent>& boxes) : boxes_(boxes) {
  if (boxes_.empty()) return;
  // 1. A cell is a little wider than boxes are on average, and there are not too many of them.
  bounds_ = boxes_[0];
  double widths = 0;
  for (const Extent& box : boxes_) {
    bounds_.take_in(box.low);
    bounds_.take_in(box.high);
    widths += (box.high - box.low).maxCoeff();
  }
  cell_size_ = std::max(kCellWidth * widths / static_cast<double>(boxes_.size()),
                        (bounds_.high - bounds_.low).maxCoeff() / kLastCell);
  if (!(cell_size_ > 0)) cell_size_ = 1;
  cell_size_ = std::min(cell_size_, std::numeric_limits<double>::max());

  // 2. Boxes by bucket: counted, then put in their places. Cells are found twice: to keep them takes as much
  // memory as all the rest.
  std::size_t buckets = 64;
  while (buckets < 2 * boxes_.size()) buckets *= 2;
  begin_.assign(buckets + 1, 0);
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    const Cells cells = cells_of(boxes_[i]);
    if (cells.count > kMostCells)
      large_.push_back(static_cast<int>(i));
    else
      visit_buckets(cells, [&](std::uint32_t bucket) { ++begin_[bucket + 1]; });
  }
  for (std::size_t b = 0; b < buckets; ++b) begin_[b + 1] += begin_[b];
  item_.resize(begin_.back());
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    if (const Cells cells = cells_of(boxes_[i]); cells.count <= kMostCells)
      visit_buckets(cells, [&](std::uint32_t bucket) { item_[next[bucket]++] = static_cast<int>(i); });
}

// Rounding here is monotonic, so two boxes with a point in common have a cell in common.
BoxGrid::Cells BoxGrid::cells_of(const Extent& box) const {
  const auto cell_of = [&](const Vec3& p) -> Cell {  // floor is a call in programs for any x86-64
    return (((p - bounds_.low) / cell_size_).array().max(-1.0).min(kLastCell + 1) + 1.0).cast<int>() - 1;
  };
  const Cell low = cell_of(box.low), high = cell_of(box.high);
  const Eigen::Matrix<std::int64_t, 3, 1> extent = (high - low).cast<std::int64_t>().array() + 1;
  return {low, high, extent.prod()};
}

// Cells of a block of 4 x 4 x 4 stand side by side: what is near in space is near in memory.
std::uint32_t BoxGrid::bucket_of(int x, int y, int z) const {
  const auto block = static_cast<std::uint32_t>(x >> 2) * 73856093u ^
                     static_cast<std::uint32_t>(y >> 2) * 19349663u ^
                     static_cast<std::uint32_t>(z >> 2) * 83492791u;
  const auto in_block = static_cast<std::uint32_t>((x & 3) | (y & 3) << 2 | (z & 3) << 4);
  return (block << 6 | in_block) & static_cast<std::uint32_t>(begin_.size() - 2);
}

template <class Visit>
void BoxGrid::visit_buckets(const Cells& cells, const Visit& visit) const {
  for (int z = cells.low.z(); z <= cells.high.z(); ++z)
    for (int y = cells.low.y(); y <= cells.high.y(); ++y)
      for (int x = cells.low.x(); x <= cells.high.x(); ++x) visit(bucket_of(x, y, z));
}

// Every list is ascending: read from its end, it is over at the first of what is not wanted.
void BoxGrid::find(const Extent& box, int first, std::vector<int>& found) const {
  found.clear();
  if (boxes_.empty()) return;
  const auto take = [&](int i) {
    if (boxes_[i].overlaps(box)) found.push_back(i);
  };
  const Cells cells = cells_of(box);
  if (cells.count > kMostCells) {
    for (int i = first; i < static_cast<int>(boxes_.size()); ++i) take(i);
    return;
  }
  for (auto i = large_.rbegin(); i != large_.rend() && *i >= first; ++i) take(*i);
  visit_buckets(cells, [&](std::uint32_t bucket) {
    for (int k = begin_[bucket + 1]; k > begin_[bucket] && item_[k - 1] >= first; --k) take(item_[k - 1]);
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

}  // namespace muslin

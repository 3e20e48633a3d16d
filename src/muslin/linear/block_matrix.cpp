#include "muslin/linear/block_matrix.h"

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"

namespace muslin {

BlockPattern::BlockPattern(int rows, const std::vector<Stencil<2>>& pairs) {
  // 1. Every neighbour of every row, with repetitions, row by row
  std::vector<int> start(rows + 1, 0);
  for (const auto& [a, b] : pairs) ++start[a + 1], ++start[b + 1];
  for (int i = 0; i < rows; ++i) start[i + 1] += start[i] + 1;  // and the row itself
  std::vector<int> neighbour(start[rows]), next(start.begin(), start.end() - 1);
  for (int i = 0; i < rows; ++i) neighbour[next[i]++] = i;
  for (const auto& [a, b] : pairs) neighbour[next[a]++] = b, neighbour[next[b]++] = a;

  // 2. Each of them once, ascending
  begin.reserve(rows + 1);
  diagonal.resize(rows);
  for (int i = 0; i < rows; ++i) {
    const auto first = neighbour.begin() + start[i], last = neighbour.begin() + start[i + 1];
    std::sort(first, last);
    for (auto n = first; n != last; ++n) {
      if (n != first && *n == *(n - 1)) continue;
      if (*n == i) diagonal[i] = slots();
      column.push_back(*n);
    }
    begin.push_back(slots());
  }
}

BlockPattern::BlockPattern(const std::vector<int>& lengths, std::vector<int> columns)
    : column(std::move(columns)) {
  for (const int length : lengths) begin.push_back(begin.back() + length);
  const int rows = static_cast<int>(lengths.size());
  diagonal.resize(rows);
  for (int i = 0; i < rows; ++i) diagonal[i] = find(i, i);
}

int BlockPattern::find(int row, int wanted) const {
  const auto first = column.begin() + begin[row], last = column.begin() + begin[row + 1];
  const auto found = std::lower_bound(first, last, wanted);
  return found != last && *found == wanted ? static_cast<int>(found - column.begin()) : -1;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)), blocks_(pattern_->slots(), Mat3::Zero()) {}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern, std::vector<Mat3> blocks)
    : pattern_(std::move(pattern)), blocks_(std::move(blocks)) {
  MUSLIN_ASSERT(static_cast<int>(blocks_.size()) == pattern_->slots());
}

void BlockMatrix::set_zero() { std::fill(blocks_.begin(), blocks_.end(), Mat3::Zero()); }

void BlockMatrix::multiply_rows(int first, int last, const Points& x, Points& y) const {
  using Pair = Eigen::Map<const Vec2>;  // fills a register of 128 bits, which a column of three does not
  const int *begin = pattern_->begin.data(), *column = pattern_->column.data();
  const double* a = blocks_[begin[first]].data();
  for (int i = first; i < last; ++i) {
    Vec2 xy = Vec2::Zero();
    double z = 0;
    for (int slot = begin[i]; slot < begin[i + 1]; ++slot, a += 9) {
      const double* v = x.data() + 3 * column[slot];
      xy += v[0] * Pair(a) + v[1] * Pair(a + 3) + v[2] * Pair(a + 6);
      z += v[0] * a[2] + v[1] * a[5] + v[2] * a[8];
    }
    y(0, i) = xy[0];
    y(1, i) = xy[1];
    y(2, i) = z;
  }
}

void BlockMatrix::multiply(const Points& x, Points& y) const {
  MUSLIN_ASSERT(x.cols() == rows() && &x != &y);
  y.resize(3, rows());
  parallel_for((rows() + kRowGrain - 1) / kRowGrain,
               [&](int c) { multiply_rows(c * kRowGrain, std::min(rows(), (c + 1) * kRowGrain), x, y); }, 1);
}

void BlockMatrix::multiply_add(const Points& x, Points& y) const {
  MUSLIN_ASSERT(x.cols() == rows() && y.cols() == rows() && &x != &y);
  parallel_for(
      rows(),
      [&](int i) {
        Vec3 sum = Vec3::Zero();
        for (int slot = pattern_->begin[i]; slot < pattern_->begin[i + 1]; ++slot)
          sum += blocks_[slot] * x.col(pattern_->column[slot]);
        y.col(i) += sum;
      },
      kRowGrain);
}

}  // namespace muslin

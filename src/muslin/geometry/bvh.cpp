#include "muslin/geometry/bvh.h"

#include <numeric>

#include "muslin/core/check.h"

namespace muslin {

void FourBoxes::set(int k, const Box& box) {
  for (int axis = 0; axis < 3; ++axis) low[axis][k] = box.low[axis], high[axis][k] = box.high[axis];
}

Box FourBoxes::enclosing() const {
  return {{low[0].minCoeff(), low[1].minCoeff(), low[2].minCoeff()},
          {high[0].maxCoeff(), high[1].maxCoeff(), high[2].maxCoeff()}};
}

void BoxTree::refit(const std::vector<Box>& boxes) {
  MUSLIN_ASSERT(boxes.size() == element_.size());
  const auto fill = [](std::vector<FourBoxes>& nodes, int count, const auto& box_of) {
    parallel_for(
        static_cast<int>(nodes.size()),
        [&](int n) {
          for (int k = 0; k < 4 && 4 * n + k < count; ++k) nodes[n].set(k, box_of(4 * n + k));
        },
        kGrain / 4);
  };
  fill(levels_[0], static_cast<int>(boxes.size()), [&](int k) { return boxes[element_[k]]; });
  for (int level = 1; level < height(); ++level) {
    const std::vector<FourBoxes>& below = levels_[level - 1];
    fill(levels_[level], static_cast<int>(below.size()), [&](int k) { return below[k].enclosing(); });
  }
}

void BoxTree::mark(const std::vector<char>& marked) {
  marks_.clear();
  if (marked.empty()) return;
  MUSLIN_ASSERT(marked.size() == element_.size());
  for (const std::vector<FourBoxes>& nodes : levels_) marks_.emplace_back(nodes.size(), 0);
  for (int k = 0; k < static_cast<int>(element_.size()); ++k)
    if (marked[element_[k]])
      for (int level = 0, child = k; level < height(); ++level, child /= 4)
        marks_[level][child / 4] = static_cast<char>(marks_[level][child / 4] | 1 << child % 4);
}

// Counting sort by the first element; the few pairs of each are then put in order by the second.
void BoxTree::join_sorted(const std::vector<Pairs>& found, Pairs& pairs) const {
  std::vector<int> begin(element_.size() + 1, 0);
  for (const Pairs& part : found)
    for (const Stencil<2>& pair : part) ++begin[pair[0] + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  pairs.resize(begin.back());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  for (const Pairs& part : found)
    for (const Stencil<2>& pair : part) pairs[next[pair[0]]++] = pair;
  parallel_for(static_cast<int>(element_.size()),
               [&](int i) { std::sort(pairs.begin() + begin[i], pairs.begin() + begin[i + 1]); });
}

}  // namespace muslin

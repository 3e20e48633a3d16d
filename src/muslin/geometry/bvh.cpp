#include "muslin/geometry/bvh.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "muslin/core/check.h"

namespace muslin {

namespace {
Box nothing() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {Vec3::Constant(infinity), Vec3::Constant(-infinity)};
}
Box enclose(const Box& a, const Box& b) { return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)}; }
}  // namespace

BoxTree::BoxTree(const std::vector<Box>& boxes) : leaf_count_(1), element_(boxes.size()) {
  while (leaf_count_ * kLeafSize < size()) leaf_count_ *= 2;
  std::iota(element_.begin(), element_.end(), 0);
  std::vector<Vec3> centre(boxes.size());
  for (int i = 0; i < size(); ++i) centre[i] = (boxes[i].low + boxes[i].high) / 2;
  boxes_.resize(boxes.size());
  nodes_.assign(2 * static_cast<size_t>(leaf_count_), nothing());
  split(1, centre);
  refit(boxes);
}

// Halves the elements of a node at the median, along the direction in which they spread most.
void BoxTree::split(int node, const std::vector<Vec3>& centre) {
  if (node >= leaf_count_) return;
  int first_leaf = node, end_leaf = node + 1;
  while (first_leaf < leaf_count_) first_leaf *= 2, end_leaf *= 2;
  const auto begin = element_.begin() + first_of(first_leaf), end = element_.begin() + first_of(end_leaf);
  Box around = nothing();
  for (auto i = begin; i != end; ++i) around = enclose(around, {centre[*i], centre[*i]});
  Eigen::Index axis = 0;
  (around.high - around.low).maxCoeff(&axis);
  const auto middle = element_.begin() + first_of((first_leaf + end_leaf) / 2);
  std::nth_element(begin, middle, end, [&](int i, int j) {
    return std::pair(centre[i][axis], i) < std::pair(centre[j][axis], j);
  });
  split(2 * node, centre);
  split(2 * node + 1, centre);
}

void BoxTree::refit(const std::vector<Box>& boxes) {
  MUSLIN_ASSERT(boxes.size() == element_.size());
  constexpr int grain = kGrain / kLeafSize;
  parallel_for(
      leaf_count_,
      [&](int k) {
        const int leaf = leaf_count_ + k;
        Box around = nothing();
        for (int i = first_of(leaf); i < first_of(leaf + 1); ++i) {
          boxes_[i] = boxes[element_[i]];
          around = enclose(around, boxes_[i]);
        }
        nodes_[leaf] = around;
      },
      grain);
  for (int level = leaf_count_ / 2; level >= 1; level /= 2)  // first node and number of nodes of a level
    parallel_for(level, [&](int k) {
      const int node = level + k;
      nodes_[node] = enclose(nodes_[2 * node], nodes_[2 * node + 1]);
    });
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
  parallel_for(size(),
               [&](int i) { std::sort(pairs.begin() + begin[i], pairs.begin() + begin[i + 1]); });
}

}  // namespace muslin

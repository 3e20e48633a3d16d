#include <numeric>
#include <utility>

#include "muslin/geometry/bvh.h"

// What a BoxTree decides once: which elements share a node.

namespace muslin {

namespace {

FourBoxes four_times_nothing() {
  FourBoxes four;
  for (int axis = 0; axis < 3; ++axis) four.low[axis] = kInfinity, four.high[axis] = -kInfinity;
  return four;
}

}  // namespace

BoxTree::BoxTree(const std::vector<Box>& boxes) : element_(boxes.size()) {
  std::iota(element_.begin(), element_.end(), 0);
  std::vector<Vec3> centre;
  centre.reserve(boxes.size());
  for (const Box& box : boxes) centre.push_back((box.low + box.high) / 2);
  sort_elements(0, static_cast<int>(boxes.size()), centre);
  size_t nodes = boxes.size();
  do {
    nodes = std::max<size_t>((nodes + 3) / 4, 1);
    levels_.emplace_back(nodes, four_times_nothing());
  } while (nodes > 1 || height() < 2);  // a root above the only leaf, too: searches begin at level 1
  refit(boxes);
}

// Cuts a run of elements in two at the median, across the direction in which they spread most, and so on.
// Cuts are where nodes end: at multiples of the number of elements below a child.
void BoxTree::sort_elements(int begin, int end, const std::vector<Vec3>& centre) {
  if (end - begin <= 4) return;
  int child = 4;
  while (4 * child < end - begin) child *= 4;
  const int children = (end - begin + child - 1) / child, middle = begin + (children + 1) / 2 * child;
  Box spread = Box::nothing();
  for (int k = begin; k < end; ++k) spread.include(centre[element_[k]]);
  Eigen::Index axis = 0;
  (spread.high - spread.low).maxCoeff(&axis);
  std::nth_element(
      element_.begin() + begin, element_.begin() + middle, element_.begin() + end,
      [&](int i, int j) { return std::pair(centre[i][axis], i) < std::pair(centre[j][axis], j); });
  sort_elements(begin, middle, centre);
  sort_elements(middle, end, centre);
}

}  // namespace muslin

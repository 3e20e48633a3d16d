#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "muslin/core/parallel.h"
#include "muslin/core/types.h"

namespace muslin {

/// A closed box along the axes [m]; holds nothing where low > high.
struct Box {
  Vec3 low, high;
};
inline bool overlap(const Box& a, const Box& b) {
  // One decision instead of six: which of the comparisons fails cannot be predicted.
  return (a.low - b.high).cwiseMax(b.low - a.high).maxCoeff() <= 0;
}

/// A tree of boxes that finds all overlapping pairs. Who shares a node with whom is decided once, from the boxes
/// of the constructor; afterwards elements may move, and `refit` follows [van den Bergen 1997].
class BoxTree {
 public:
  /// What the boxes enclose (triangles, edges, vertices) is known to the caller, by index. Finite boxes.
  explicit BoxTree(const std::vector<Box>& boxes);

  /// New boxes of the same elements, in the same order.
  void refit(const std::vector<Box>& boxes);

  /// All (i, j), i < j, whose boxes overlap and for which keep(i, j), sorted. `keep` must be pure: it is called
  /// from several threads, in any order.
  template <class Keep>
  void find_pairs(const Keep& keep, std::vector<Stencil<2>>& pairs) const {
    collect(
        [&](int leaf, Pairs& found) {
          const auto add = [&](int i, int j) {
            const auto [low, high] = std::minmax(i, j);
            if (keep(low, high)) found.push_back({low, high});
          };
          pairs_within(leaf, add);
          // All leaves to the right hang on the right-hand siblings of the way up to the root.
          for (int node = leaf; node > 1; node /= 2)
            if (node % 2 == 0)
              descend(*this, node + 1, nodes_[leaf],
                      [&](int other) { pairs_between(leaf, *this, other, add); });
        },
        pairs);
  }

  /// All (i of this tree, j of the other) whose boxes overlap and for which keep(i, j), sorted.
  template <class Keep>
  void find_pairs(const BoxTree& other, const Keep& keep, std::vector<Stencil<2>>& pairs) const {
    collect(
        [&](int leaf, Pairs& found) {
          const auto add = [&](int i, int j) {
            if (keep(i, j)) found.push_back({i, j});
          };
          descend(other, 1, nodes_[leaf],
                  [&](int other_leaf) { pairs_between(leaf, other, other_leaf, add); });
        },
        pairs);
  }

 private:
  using Pairs = std::vector<Stencil<2>>;
  static constexpr int kLeafSize = 4;    // elements a leaf at most
  static constexpr int kLeafGrain = 64;  // leaves a task

  /// Calls visit(leaf) for all leaves below `root` that overlap the box.
  template <class Visit>
  static void descend(const BoxTree& tree, int root, const Box& box, const Visit& visit) {
    int stack[64];
    int height = 0;
    stack[height++] = root;
    while (height > 0) {
      const int node = stack[--height];
      if (!overlap(tree.nodes_[node], box)) continue;
      if (node >= tree.leaf_count_) {
        visit(node);
      } else {
        stack[height++] = 2 * node + 1;
        stack[height++] = 2 * node;
      }
    }
  }

  template <class Add>
  void pairs_within(int leaf, const Add& add) const {
    for (int a = first_of(leaf); a < first_of(leaf + 1); ++a)
      for (int b = a + 1; b < first_of(leaf + 1); ++b)
        if (overlap(boxes_[a], boxes_[b])) add(element_[a], element_[b]);
  }
  template <class Add>
  void pairs_between(int leaf, const BoxTree& other, int other_leaf, const Add& add) const {
    for (int a = first_of(leaf); a < first_of(leaf + 1); ++a)
      if (overlap(boxes_[a], other.nodes_[other_leaf]))
        for (int b = other.first_of(other_leaf); b < other.first_of(other_leaf + 1); ++b)
          if (overlap(boxes_[a], other.boxes_[b])) add(element_[a], other.element_[b]);
  }

  /// Runs search(leaf, found) for every leaf and joins what they found. Tasks are runs of leaves, however many
  /// threads there are.
  template <class Search>
  void collect(const Search& search, Pairs& pairs) const {
    const int tasks = (leaf_count_ + kLeafGrain - 1) / kLeafGrain;
    std::vector<Pairs> found(tasks);
    parallel_for(
        tasks,
        [&](int task) {
          const int end = std::min(leaf_count_, (task + 1) * kLeafGrain);
          for (int leaf = task * kLeafGrain; leaf < end; ++leaf) search(leaf_count_ + leaf, found[task]);
        },
        1);
    join_sorted(found, pairs);
  }
  void join_sorted(const std::vector<Pairs>& found, Pairs& pairs) const;

  int size() const { return static_cast<int>(element_.size()); }
  /// Elements are dealt evenly: leaf k of n has those from k/n of their number on.
  int first_of(int leaf) const {
    return static_cast<int>(static_cast<std::int64_t>(leaf - leaf_count_) * size() / leaf_count_);
  }
  void split(int node, const std::vector<Vec3>& centre);

  int leaf_count_;            ///< a power of two
  std::vector<int> element_;  ///< the caller's index of the k-th element in the order of the leaves
  std::vector<Box> boxes_;    ///< of elements, in that order
  std::vector<Box> nodes_;    ///< children of k are 2k and 2k + 1; the root is 1, leaves are the last half
};

}  // namespace muslin

#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "muslin/core/parallel.h"
#include "muslin/core/types.h"

namespace muslin {

/// A closed box along the axes [m]; holds nothing where low > high.
struct Box {
  Vec3 low, high;
};

/// Four boxes side by side, so that one is tested against all of them at once.
struct FourBoxes {
  Eigen::Array4d low[3], high[3];  ///< a row an axis

  Box box(int k) const { return {{low[0][k], low[1][k], low[2][k]}, {high[0][k], high[1][k], high[2][k]}}; }
  void set(int k, const Box& box);
  Box enclosing() const;
  /// From box k to a place [m].
  Eigen::Array4d distances(const Vec3& place) const {
    Eigen::Array4d squared = Eigen::Array4d::Zero();
    for (int axis = 0; axis < 3; ++axis)
      squared += (low[axis] - place[axis]).max(place[axis] - high[axis]).max(0).square();
    return squared.sqrt();
  }
  /// Bit k is set where box k and the given one have a point in common.
  int overlaps(const Box& other) const {
    Eigen::Array4d gap = (low[0] - other.high[0]).max(other.low[0] - high[0]);
    for (int axis = 1; axis < 3; ++axis)
      gap = gap.max((low[axis] - other.high[axis]).max(other.low[axis] - high[axis]));
    return (gap[0] <= 0) | (gap[1] <= 0) << 1 | (gap[2] <= 0) << 2 | (gap[3] <= 0) << 3;
  }
};

/// A tree of boxes that finds all overlapping pairs, and what is nearest. Who shares a node with whom is
/// decided once, from the boxes of the constructor; afterwards elements may move, and `refit` follows [van
/// den Bergen 1997]. It is fastest if the first boxes are those of the rest shape: neighbours in the cloth
/// stay neighbours.
class BoxTree {
 public:
  /// What the boxes enclose (triangles, edges, vertices) is the caller's, known by its index. Finite boxes.
  explicit BoxTree(const std::vector<Box>& boxes);

  /// New boxes of the same elements, in the same order.
  void refit(const std::vector<Box>& boxes);

  /// All (i, j), i < j, whose boxes have a point in common and for which keep(i, j), sorted. `keep` is called
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
          const Box box = levels_[0][leaf].enclosing();
          // All later leaves are below the later siblings of this leaf and of its ancestors.
          for (int level = 1, node = leaf; level < height(); ++level, node /= 4)
            descend(level, node / 4, box, /*after=*/node % 4,
                    [&](int other) { pairs_between(leaf, *this, other, add); });
        },
        pairs);
  }

  /// All (i of this tree, j of the other) whose boxes have a point in common and for which keep(i, j),
  /// sorted.
  template <class Keep>
  void find_pairs(const BoxTree& other, const Keep& keep, std::vector<Stencil<2>>& pairs) const {
    collect(
        [&](int leaf, Pairs& found) {
          const auto add = [&](int i, int j) {
            if (keep(i, j)) found.push_back({i, j});
          };
          other.descend(other.height() - 1, 0, levels_[0][leaf].enclosing(), /*after=*/-1,
                        [&](int other_leaf) { pairs_between(leaf, other, other_leaf, add); });
        },
        pairs);
  }

  /// From all boxes to a place [m].
  double distance_to(const Vec3& place) const { return levels_.back()[0].distances(place).minCoeff(); }

  /// The element for which `distance`(i) is least; it must be no less than that to the box of i [m].
  template <class Distance>
  int nearest(const Vec3& place, const Distance& distance) const {
    std::pair<double, int> best{std::numeric_limits<double>::infinity(), -1};
    nearest_below(height() - 1, 0, place, distance, best);
    return best.second;
  }

 private:
  using Pairs = std::vector<Stencil<2>>;
  static constexpr int kLeafGrain = 64;  ///< leaves a task

  int height() const { return static_cast<int>(levels_.size()); }

  /// Calls visit(leaf) for the leaves below a node, and right of one of its children, that overlap a box.
  template <class Visit>
  void descend(int level, int node, const Box& box, int after, const Visit& visit) const {
    const int hits = levels_[level][node].overlaps(box);
    for (int k = after + 1; k < 4; ++k) {
      if (!(hits >> k & 1)) continue;
      const int child = 4 * node + k;
      if (level == 1)
        visit(child);
      else
        descend(level - 1, child, box, /*after=*/-1, visit);
    }
  }

  /// The nearer children first, as long as anything in them can be nearer than the best.
  template <class Distance>
  void nearest_below(int level, int node, const Vec3& place, const Distance& distance,
                     std::pair<double, int>& best) const {
    const Eigen::Array4d to_box = levels_[level][node].distances(place);
    std::array<int, 4> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return std::pair(to_box[a], a) < std::pair(to_box[b], b); });
    for (const int k : order) {
      if (!(to_box[k] < best.first)) return;
      const int child = 4 * node + k;
      if (level > 0)
        nearest_below(level - 1, child, place, distance, best);
      else
        best = std::min(best, {distance(element_[child]), element_[child]});
    }
  }

  template <class Add>
  void pairs_within(int leaf, const Add& add) const {
    const FourBoxes& four = levels_[0][leaf];
    for (int a = 0; a < 3; ++a) {
      const int hits = four.overlaps(four.box(a));
      for (int b = a + 1; b < 4; ++b)
        if (hits >> b & 1) add(element_[4 * leaf + a], element_[4 * leaf + b]);
    }
  }
  template <class Add>
  void pairs_between(int leaf, const BoxTree& other, int other_leaf, const Add& add) const {
    const FourBoxes &mine = levels_[0][leaf], &others = other.levels_[0][other_leaf];
    for (int a = 0; a < 4; ++a) {
      const int hits = others.overlaps(mine.box(a));
      for (int b = 0; b < 4 && hits >> b != 0; ++b)
        if (hits >> b & 1) add(element_[4 * leaf + a], other.element_[4 * other_leaf + b]);
    }
  }

  /// Runs search(leaf, found) for every leaf and joins what they found. Tasks are runs of leaves, however
  /// many threads there are.
  template <class Search>
  void collect(const Search& search, Pairs& pairs) const {
    const int leaves = static_cast<int>(levels_[0].size()), tasks = (leaves + kLeafGrain - 1) / kLeafGrain;
    std::vector<Pairs> found(tasks);
    parallel_for(
        tasks,
        [&](int task) {
          const int end = std::min(leaves, (task + 1) * kLeafGrain);
          for (int leaf = task * kLeafGrain; leaf < end; ++leaf) search(leaf, found[task]);
        },
        1);
    join_sorted(found, pairs);
  }
  void join_sorted(const std::vector<Pairs>& found, Pairs& pairs) const;
  void sort_elements(int begin, int end, const std::vector<Vec3>& centre);

  std::vector<int> element_;  ///< the caller's index of the k-th element in the order of the leaves
  /// Node n of level 0, a leaf, holds the boxes of elements 4n … 4n + 3; one of level l those of the nodes
  /// 4n … 4n + 3 of level l − 1; the last level is the root alone.
  std::vector<std::vector<FourBoxes>> levels_;
};

}  // namespace muslin

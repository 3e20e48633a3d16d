#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "muslin/core/parallel.h"
#include "muslin/core/types.h"

namespace muslin {

/// A closed box along the axes [m]; holds nothing where low > high.
struct Box {
  Vec3 low, high;

  static Box nothing() { return {Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)}; }
  void include(const Vec3& place) { low = low.cwiseMin(place), high = high.cwiseMax(place); }
};

/// Four boxes side by side, so that one is tested against all of them at once.
struct FourBoxes {
  Eigen::Array4d low[3], high[3];  ///< a row an axis

  Box box(int k) const { return {{low[0][k], low[1][k], low[2][k]}, {high[0][k], high[1][k], high[2][k]}}; }
  void set(int k, const Box& box);
  Box enclosing() const;
  /// Squares of the distances from the boxes to a place [m²].
  Eigen::Array4d squared_distances(const Vec3& place) const {
    Eigen::Array4d squared = Eigen::Array4d::Zero();
    for (int axis = 0; axis < 3; ++axis)
      squared += (low[axis] - place[axis]).max(place[axis] - high[axis]).max(0).square();
    return squared;
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

  /// From now on find_pairs leaves out pairs of which neither element is marked, one entry an element; all
  /// are marked where there are no entries.
  void mark(const std::vector<char>& marked);

  /// The caller's index of every element, in the order of the leaves: four a leaf, the last may have fewer.
  const std::vector<int>& order() const { return element_; }

  /// Leaves out nothing; see find_pairs.
  static int all_hits(int /*leaf*/, int /*other_leaf*/, int hits) { return hits; }

  /// All (i, j), i < j, whose boxes have a point in common and for which keep(i, j), sorted. Before that,
  /// sieve(leaf, other_leaf, hits) may leave out some of sixteen at once: bit 4 i + k of `hits` says that the
  /// boxes of element 4 leaf + i and of element 4 other_leaf + k of the order have a point in common. Both
  /// are called from several threads, in any order.
  template <class Sieve, class Keep>
  void find_pairs(const Sieve& sieve, const Keep& keep, std::vector<Stencil<2>>& pairs) const {
    collect(
        [&](int leaf, Pairs& found) {
          const auto add = [&](int i, int j) {
            const auto [low, high] = std::minmax(i, j);
            if (keep(low, high)) found.push_back({low, high});
          };
          pairs_within(leaf, sieve, add);
          const Box box = levels_[0][leaf].enclosing();
          const bool marked = marks(0, leaf) != 0;
          // All later leaves are below the later siblings of this leaf and of its ancestors.
          for (int level = 1, node = leaf; level < height(); ++level, node /= 4)
            descend(level, node / 4, box, /*after=*/node % 4, marked,
                    [&](int other) { pairs_between(leaf, *this, other, sieve, add); });
        },
        pairs);
  }
  template <class Keep>
  void find_pairs(const Keep& keep, std::vector<Stencil<2>>& pairs) const {
    find_pairs(all_hits, keep, pairs);
  }

  /// All (i of this tree, j of the other) whose boxes have a point in common and for which keep(i, j),
  /// sorted; leaf is of this tree, other_leaf of the other.
  template <class Sieve, class Keep>
  void find_pairs(const BoxTree& other, const Sieve& sieve, const Keep& keep,
                  std::vector<Stencil<2>>& pairs) const {
    collect(
        [&](int leaf, Pairs& found) {
          const auto add = [&](int i, int j) {
            if (keep(i, j)) found.push_back({i, j});
          };
          other.descend(other.height() - 1, 0, levels_[0][leaf].enclosing(), /*after=*/-1,
                        /*all=*/marks(0, leaf) != 0,
                        [&](int other_leaf) { pairs_between(leaf, other, other_leaf, sieve, add); });
        },
        pairs);
  }
  template <class Keep>
  void find_pairs(const BoxTree& other, const Keep& keep, std::vector<Stencil<2>>& pairs) const {
    find_pairs(other, all_hits, keep, pairs);
  }

  /// From all boxes to a place [m].
  double distance_to(const Vec3& place) const {
    return std::sqrt(levels_.back()[0].squared_distances(place).minCoeff());
  }

  /// Calls visit(leaf) for every leaf whose box is within a distance of a place [m], finite, the nearer
  /// below a node first. What visit returns is the distance from then on.
  template <class Visit>
  void visit_leaves_within(double distance, const Vec3& place, const Visit& visit) const {
    visit_below(height() - 1, 0, place, visit, distance);
  }

 private:
  using Pairs = std::vector<Stencil<2>>;
  static constexpr int kLeafGrain = 64;  ///< leaves a task
  static constexpr int kAll = 0b1111;    ///< of four

  int height() const { return static_cast<int>(levels_.size()); }

  /// Bit k is set where child k of a node, or element k of a leaf, is marked or holds what is.
  int marks(int level, int node) const { return marks_.empty() ? kAll : marks_[level][node]; }

  /// Calls visit(leaf) for the leaves below a node, and right of one of its children, that overlap a box, all
  /// or those that hold a mark.
  template <class Visit>
  void descend(int level, int node, const Box& box, int after, bool all, const Visit& visit) const {
    const int hits = levels_[level][node].overlaps(box) & (all ? kAll : marks(level, node));
    for (int k = after + 1; k < 4; ++k) {
      if (!(hits >> k & 1)) continue;
      const int child = 4 * node + k;
      if (level == 1)
        visit(child);
      else
        descend(level - 1, child, box, /*after=*/-1, all, visit);
    }
  }

  template <class Visit>
  void visit_below(int level, int node, const Vec3& place, const Visit& visit, double& distance) const {
    Eigen::Array4d squared = levels_[level][node].squared_distances(place);
    for (int n = 0, k = 0; n < 4; ++n, squared[k] = kInfinity) {
      const double least = squared.minCoeff(&k);
      if (!(least <= distance * distance && least < kInfinity)) return;
      const int child = 4 * node + k;
      if (level > 1)
        visit_below(level - 1, child, place, visit, distance);
      else
        distance = visit(child);
    }
  }

  template <class Sieve, class Add>
  void pairs_within(int leaf, const Sieve& sieve, const Add& add) const {
    constexpr int kOnce = 0b0000'1000'1100'1110;  // those after each
    add_hits(leaf, *this, leaf, hits_between(leaf, *this, leaf) & kOnce, sieve, add);
  }
  template <class Sieve, class Add>
  void pairs_between(int leaf, const BoxTree& other, int other_leaf, const Sieve& sieve,
                     const Add& add) const {
    add_hits(leaf, other, other_leaf, hits_between(leaf, other, other_leaf), sieve, add);
  }
  /// Which of the 4 × 4 boxes of two leaves have a point in common, and an element that is marked.
  int hits_between(int leaf, const BoxTree& other, int other_leaf) const {
    const FourBoxes &mine = levels_[0][leaf], &others = other.levels_[0][other_leaf];
    const int marked = marks(0, leaf), others_marked = other.marks(0, other_leaf);
    int hits = 0;
    for (int a = 0; a < 4; ++a)
      hits |= (others.overlaps(mine.box(a)) & (marked >> a & 1 ? kAll : others_marked)) << 4 * a;
    return hits;
  }
  template <class Sieve, class Add>
  void add_hits(int leaf, const BoxTree& other, int other_leaf, int hits, const Sieve& sieve,
                const Add& add) const {
    if (hits != 0) hits = sieve(leaf, other_leaf, hits);
    for (int k = 0; hits >> k != 0; ++k)
      if (hits >> k & 1) add(element_[4 * leaf + k / 4], other.element_[4 * other_leaf + k % 4]);
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
  std::vector<std::vector<char>> marks_;  ///< one entry a node; none: all are marked
};

}  // namespace muslin

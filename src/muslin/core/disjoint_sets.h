#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

namespace muslin {

/// Sets of the numbers 0 … count−1 that are united step by step. The least number of a set stands for it, so
/// that results do not depend on the order of unions.
class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  /// The least number of the set that holds i.
  int least_of(int i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }

  /// Makes the sets of a and b one.
  void unite(int a, int b) {
    const auto [low, high] = std::minmax({least_of(a), least_of(b)});
    parent_[high] = low;
    parent_[a] = parent_[b] = low;
  }

 private:
  std::vector<int> parent_;  // itself, or a lower number of its set
};

}  // namespace muslin

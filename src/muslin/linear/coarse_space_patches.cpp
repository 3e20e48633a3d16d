#include "muslin/linear/coarse_space.h"

// The patches of a CoarseSpace and which of them touch: what stays as long as the pattern does.

namespace muslin {

namespace {

// Everything within two edges of a vertex is a patch, if none of it belongs to one yet; what is left over
// then joins the patch that most of its neighbours are in. Returns the patch of every vertex, numbered from
// 0.
std::vector<int> find_patches(const BlockPattern& pattern, int& count) {
  const int n = pattern.rows();
  std::vector<int> patch(n, -1), seen(n, -1), near;
  const auto add_neighbours = [&](int of, int mark) {
    for (int slot = pattern.begin[of]; slot < pattern.begin[of + 1]; ++slot) {
      const int v = pattern.column[slot];
      if (patch[v] >= 0) return false;
      if (seen[v] != mark) near.push_back(v);
      seen[v] = mark;
    }
    return true;
  };
  count = 0;
  for (int v = 0; v < n; ++v) {
    near.clear();
    bool is_free = add_neighbours(v, v);  // v is its own neighbour
    const size_t first_ring = near.size();
    for (size_t k = 0; is_free && k < first_ring; ++k) is_free = add_neighbours(near[k], v);
    if (!is_free) continue;
    for (const int u : near) patch[u] = count;
    ++count;
  }

  std::vector<int> left, votes(count, 0);
  for (int v = 0; v < n; ++v)
    if (patch[v] < 0) left.push_back(v);
  while (!left.empty()) {  // ring by ring: everything left has an edge to what is not, or to something left
    std::vector<int> joins(left.size(), -1), still;
    for (size_t k = 0; k < left.size(); ++k) {
      const auto each_patch = [&](const auto& action) {
        for (int slot = pattern.begin[left[k]]; slot < pattern.begin[left[k] + 1]; ++slot)
          if (const int p = patch[pattern.column[slot]]; p >= 0) action(p);
      };
      each_patch([&](int p) { ++votes[p]; });
      each_patch([&](int p) {
        if (joins[k] < 0 || votes[p] > votes[joins[k]]) joins[k] = p;
      });
      each_patch([&](int p) { votes[p] = 0; });
    }
    for (size_t k = 0; k < left.size(); ++k) {
      patch[left[k]] = joins[k];
      if (joins[k] < 0) still.push_back(left[k]);
    }
    left.swap(still);
  }
  return patch;
}

}  // namespace

void CoarseSpace::analyze(const std::shared_ptr<const BlockPattern>& pattern) {
  // 1. Patches and their members
  pattern_ = pattern;
  const int n = pattern->rows();
  int count = 0;
  patch_ = find_patches(*pattern, count);
  begin_.assign(count + 1, 0);
  for (const int p : patch_) ++begin_[p + 1];
  for (int p = 0; p < count; ++p) begin_[p + 1] += begin_[p];
  member_.resize(n);
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (int v = 0; v < n; ++v) member_[next[patch_[v]]++] = v;

  // 2. Which of them touch
  std::vector<Stencil<2>> pairs;
  for (int v = 0; v < n; ++v)
    for (int slot = pattern->begin[v]; slot < pattern->begin[v + 1]; ++slot)
      if (patch_[v] < patch_[pattern->column[slot]])
        pairs.push_back({patch_[v], patch_[pattern->column[slot]]});
  matrix_ = BlockMatrix(std::make_shared<BlockPattern>(count, pairs));
  const BlockPattern& coarse = matrix_.pattern();
  coarse_slot_.resize(pattern->slots());
  for (int v = 0; v < n; ++v)
    for (int slot = pattern->begin[v]; slot < pattern->begin[v + 1]; ++slot)
      coarse_slot_[slot] = coarse.find(patch_[v], patch_[pattern->column[slot]]);
  factor_.analyze(count, coarse.begin.data(), coarse.column.data(), 3);
}

}  // namespace muslin

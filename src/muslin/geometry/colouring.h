#pragma once
#include <cstddef>
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// Stencils in groups that may be visited at once because no two share a vertex, and the few that found no
/// group.
struct Colouring {
  std::vector<std::vector<int>> groups;  ///< stencil indices, ascending; visit the groups in order
  std::vector<int> rest;                 ///< to be visited one after another, last
};

/// Greedy colouring, one sweep a colour. Stencils about a vertex of enormous valence end in `rest`.
template <size_t N>
Colouring colour(int vertex_count, const std::vector<std::array<int, N>>& stencils) {
  constexpr int kMostGroups = 48;  // a regular sheet needs 8 for springs, 16 for hinges
  Colouring colouring;
  std::vector<int> remaining(stencils.size()), taken(vertex_count, -1);
  for (size_t s = 0; s < stencils.size(); ++s) remaining[s] = static_cast<int>(s);
  for (int group = 0; group < kMostGroups && !remaining.empty(); ++group) {
    std::vector<int> chosen, left;
    for (const int s : remaining) {
      bool is_free = true;
      for (const int v : stencils[s]) is_free = is_free && taken[v] != group;
      if (is_free)
        for (const int v : stencils[s]) taken[v] = group;
      (is_free ? chosen : left).push_back(s);
    }
    colouring.groups.push_back(std::move(chosen));
    remaining = std::move(left);
  }
  colouring.rest = std::move(remaining);
  return colouring;
}

}  // namespace muslin

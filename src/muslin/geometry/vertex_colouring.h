#pragma once
#include <cstddef>
#include <vector>

namespace muslin {

/// Groups of vertices, no two neighbours in one: a group may be moved at once if a vertex looks at its
/// neighbours only. Every vertex takes the first group that has none of its neighbours, in ascending order
/// [Chen 2024]. `neighbours(vertex, visit)` calls visit(other) for all of them; itself and repetitions do no
/// harm. Within a group vertices ascend.
template <class Neighbours>
std::vector<std::vector<int>> colour_vertices(int vertex_count, const Neighbours& neighbours) {
  std::vector<std::vector<int>> groups;
  std::vector<int> group_of(vertex_count, -1);
  std::vector<int> taken_by;  // the latest vertex that found a neighbour in this group
  for (int v = 0; v < vertex_count; ++v) {
    neighbours(v, [&](int other) {
      if (group_of[other] >= 0) taken_by[group_of[other]] = v;
    });
    size_t group = 0;
    while (group < groups.size() && taken_by[group] == v) ++group;
    if (group == groups.size()) {
      groups.emplace_back();
      taken_by.push_back(-1);
    }
    group_of[v] = static_cast<int>(group);
    groups[group].push_back(v);
  }
  return groups;
}

}  // namespace muslin

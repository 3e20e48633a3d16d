#pragma once
#include <string>
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// An edge with the one or two vertices that face it.
struct Hinge {
  int v0;         ///< the end of the edge with the lower number
  int v1;         ///< its other end
  int tip0;       ///< the vertex of triangle0 opposite to the edge
  int tip1;       ///< that of triangle1; -1 on the border
  int triangle0;  ///< the triangle that has the edge, the first of two
  int triangle1;  ///< the second; -1 on the border
};

/// Who touches whom. Built from triangles, in an order that depends on nothing else.
struct Topology {
  std::vector<Stencil<2>> edges;  ///< unique (low, high), sorted
  std::vector<Hinge> hinges;      ///< one an edge, same order
};

/// Edges and hinges of a mesh. Throws Error(invalid) naming `source` and the triangles where an edge has more
/// than two triangles, a triangle repeats a vertex, or an index is out of range.
Topology build_topology(int vertex_count, const std::vector<Stencil<3>>& triangles,
                        const std::string& source);

/// Items a vertex belongs to, as compressed rows: items of vertex v are item[begin[v]] … item[begin[v+1]-1].
struct Incidence {
  std::vector<int> begin;  ///< n+1
  std::vector<int> item;   ///< stencil index, ascending within a row
  std::vector<int> slot;   ///< the place of v in that stencil
};
/// The stencils about every vertex. Vertex numbers must be below `vertex_count`.
template <size_t N>
Incidence build_incidence(int vertex_count, const std::vector<std::array<int, N>>& stencils) {
  Incidence rows;
  rows.begin.assign(vertex_count + 1, 0);
  for (const auto& stencil : stencils)
    for (int v : stencil) ++rows.begin[v + 1];
  for (int v = 0; v < vertex_count; ++v) rows.begin[v + 1] += rows.begin[v];
  rows.item.resize(rows.begin.back());
  rows.slot.resize(rows.item.size());
  std::vector<int> next(rows.begin.begin(), rows.begin.end() - 1);
  for (size_t s = 0; s < stencils.size(); ++s)
    for (size_t k = 0; k < N; ++k) {
      const int place = next[stencils[s][k]]++;
      rows.item[place] = static_cast<int>(s);
      rows.slot[place] = static_cast<int>(k);
    }
  return rows;
}

}  // namespace muslin

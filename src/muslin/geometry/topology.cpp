#include "muslin/geometry/topology.h"

#include <algorithm>
#include <tuple>

#include "muslin/core/problems.h"

namespace muslin {

namespace {

/// One side of one triangle, filed under its lower vertex.
struct Side {
  int high;
  int triangle;
  int tip;  ///< the triangle's third vertex
};

void check_triangles(int vertex_count, const std::vector<Stencil<3>>& triangles, const std::string& source) {
  Problems problems;
  for (size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    const auto [low, high] = std::minmax({a, b, c});
    if (low < 0 || high >= vertex_count)
      problems.add(source, "triangle {} must have vertices 0 to {}, got {}", t, vertex_count - 1,
                   low < 0 ? low : high);
    else if (a == b || b == c || c == a)
      problems.add(source, "triangle {} must have three different vertices, got {} {} {}", t, a, b, c);
  }
  problems.throw_if_any();
}

/// The sides of all triangles in compressed rows, one row a lower vertex, each sorted by (high, triangle).
/// Rows are short, so this is faster than sorting all sides at once.
struct SideRows {
  std::vector<int> begin;
  std::vector<Side> sides;
};

SideRows collect_sides(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  SideRows rows;
  rows.begin.assign(vertex_count + 1, 0);
  for (const auto& corner : triangles)
    for (int k = 0; k < 3; ++k) ++rows.begin[std::min(corner[k], corner[(k + 1) % 3]) + 1];
  for (int v = 0; v < vertex_count; ++v) rows.begin[v + 1] += rows.begin[v];

  rows.sides.resize(rows.begin.back());
  std::vector<int> next(rows.begin.begin(), rows.begin.end() - 1);
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(triangles[t][k], triangles[t][(k + 1) % 3]);
      rows.sides[next[low]++] = {high, static_cast<int>(t), triangles[t][(k + 2) % 3]};
    }

  for (int v = 0; v < vertex_count; ++v)
    std::sort(rows.sides.begin() + rows.begin[v], rows.sides.begin() + rows.begin[v + 1],
              [](const Side& a, const Side& b) {
                return std::tie(a.high, a.triangle) < std::tie(b.high, b.triangle);
              });
  return rows;
}

/// "0, 4, 9" of the sides' triangles; the first five and " and 3 more".
std::string name_triangles(const Side* first, const Side* last) {
  std::string names;
  for (const Side* side = first; side != last; ++side) {
    if (side - first == 5) return names + fmt::format(" and {} more", last - side);
    names += fmt::format("{}{}", side == first ? "" : ", ", side->triangle);
  }
  return names;
}

}  // namespace

Topology build_topology(int vertex_count, const std::vector<Stencil<3>>& triangles,
                        const std::string& source) {
  check_triangles(vertex_count, triangles, source);
  const SideRows rows = collect_sides(vertex_count, triangles);

  Topology topology;
  topology.edges.reserve(rows.sides.size() / 2);
  topology.hinges.reserve(rows.sides.size() / 2);
  Problems problems;
  for (int low = 0; low < vertex_count; ++low) {
    const Side* const row_end = rows.sides.data() + rows.begin[low + 1];
    for (const Side* side = rows.sides.data() + rows.begin[low]; side != row_end;) {
      const Side* const first = side;
      while (side != row_end && side->high == first->high) ++side;
      if (side - first > 2)
        problems.add(source,
                     "edge {}-{} must have at most two triangles, got {}: triangles {} (counted from 0)", low,
                     first->high, side - first, name_triangles(first, side));
      const bool border = side - first == 1;
      topology.edges.push_back({low, first->high});
      topology.hinges.push_back({low, first->high, first->tip, border ? -1 : first[1].tip, first->triangle,
                                 border ? -1 : first[1].triangle});
    }
  }
  problems.throw_if_any();
  return topology;
}

}  // namespace muslin

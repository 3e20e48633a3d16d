#include "muslin/geometry/doubled.h"

#include <algorithm>
#include <utility>

namespace muslin {

std::vector<bool> repeated_triangles(const std::vector<Stencil<3>>& triangles) {
  std::vector<std::pair<Stencil<3>, int>> keys;  // its vertices in order, and the triangle
  keys.reserve(triangles.size());
  for (const Stencil<3>& triangle : triangles) {
    keys.emplace_back(triangle, static_cast<int>(keys.size()));
    std::sort(keys.back().first.begin(), keys.back().first.end());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<bool> repeats(triangles.size());
  for (std::size_t k = 1; k < keys.size(); ++k) repeats[keys[k].second] = keys[k].first == keys[k - 1].first;
  return repeats;
}

void leave_out(const std::vector<bool>& marked, Mesh& mesh) {
  const auto shorten = [&](auto& entries) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < entries.size(); ++t)
      if (!marked[t]) entries[kept++] = entries[t];
    entries.resize(kept);
  };
  shorten(mesh.triangles);
  shorten(mesh.polygon_of);
  shorten(mesh.triangle_uv);
}

}  // namespace muslin

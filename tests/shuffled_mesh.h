#pragma once
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "muslin/geometry/mesh.h"

namespace muslin {

/// A mesh with its vertices and triangles in random order; vertex v of the original is name[v] of it.
struct Shuffled {
  Mesh mesh;
  std::vector<int> name;
};

inline Shuffled shuffled(const Mesh& original, unsigned seed) {
  std::mt19937 random(seed);
  Shuffled result{original, std::vector<int>(original.vertex_count())};
  auto& [mesh, name] = result;
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  for (int v = 0; v < original.vertex_count(); ++v) {
    mesh.positions.col(name[v]) = original.positions.col(v);
    if (!mesh.uv.empty()) mesh.uv[name[v]] = original.uv[v];
  }
  for (Stencil<3>& triangle : mesh.triangles)
    for (int& v : triangle) v = name[v];
  std::shuffle(mesh.triangles.begin(), mesh.triangles.end(), random);
  for (auto& [a, b] : mesh.diagonals) {
    const auto [low, high] = std::minmax(name[a], name[b]);
    a = low, b = high;
  }
  std::sort(mesh.diagonals.begin(), mesh.diagonals.end());
  return result;
}

}  // namespace muslin

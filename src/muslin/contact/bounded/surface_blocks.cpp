#include "muslin/contact/bounded/surface_blocks.h"

#include <algorithm>

#include "muslin/geometry/bvh.h"

namespace muslin {

namespace {

/// Which block a triangle belongs to: runs of so many in a tree of all that are at rest, parted where they
/// have no vertices in common.
std::vector<int> blocks_of_neighbours(const Surfaces& surfaces, int triangles) {
  std::vector<Box> boxes;
  for (const Stencil<3>& triangle : surfaces.triangles) {
    boxes.push_back(Box::nothing());
    for (const int v : triangle) boxes.back().include(surfaces.rest.col(v));
  }
  const BoxTree tree(boxes);
  const std::vector<int>& order = tree.order();
  std::vector<int> block(order.size(), -1);
  int count = 0;
  for (size_t first = 0; first < order.size(); first += triangles) {
    const size_t last = std::min(order.size(), first + triangles);
    const auto are_neighbours = [&](int s, int t) {
      const auto &a = surfaces.triangles[s], &b = surfaces.triangles[t];
      return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
    };
    for (size_t seed = first; seed < last; ++seed) {
      if (block[order[seed]] >= 0) continue;
      std::vector<int> reached{order[seed]};
      block[order[seed]] = count;
      for (size_t k = 0; k < reached.size(); ++k)
        for (size_t other = first; other < last; ++other)
          if (block[order[other]] < 0 && are_neighbours(reached[k], order[other])) {
            block[order[other]] = count;
            reached.push_back(order[other]);
          }
      ++count;
    }
  }
  return block;
}

}  // namespace

std::vector<SurfaceBlock> surface_blocks(const Surfaces& surfaces, int triangles) {
  // 1. Triangles, and all of their vertices
  const std::vector<int> block_of_triangle = blocks_of_neighbours(surfaces, triangles);
  std::vector<SurfaceBlock> blocks;
  for (const int b : block_of_triangle) blocks.resize(std::max<size_t>(blocks.size(), b + 1));
  std::vector<int> block_of_point(surfaces.vertex_count(), -1);
  std::vector<std::pair<Stencil<2>, int>> sides;
  for (size_t t = 0; t < surfaces.triangles.size(); ++t) {
    const auto& [a, b, c] = surfaces.triangles[t];
    const int number = block_of_triangle[t];
    blocks[number].triangles.push_back({a, b, c});
    for (const int v : {a, b, c}) {
      blocks[number].vertices.push_back(v);
      if (block_of_point[v] < 0) block_of_point[v] = number;
    }
    for (const auto& [u, v] : {std::minmax(a, b), std::minmax(b, c), std::minmax(c, a)})
      sides.push_back({{u, v}, number});
  }

  // 2. Edges and points, in the first block that has them
  std::sort(sides.begin(), sides.end());
  for (const auto& [a, b] : surfaces.edges) {
    const std::pair<Stencil<2>, int> first{{std::min(a, b), std::max(a, b)}, 0};
    const auto side = std::lower_bound(sides.begin(), sides.end(), first);
    blocks[side->second].edges.push_back({a, b});
  }
  for (const auto& [v] : surfaces.points) {
    if (block_of_point[v] < 0) {  // of no triangle
      block_of_point[v] = static_cast<int>(blocks.size());
      blocks.emplace_back().vertices.push_back(v);
    }
    blocks[block_of_point[v]].points.push_back({v});
  }
  for (SurfaceBlock& block : blocks) {
    std::sort(block.vertices.begin(), block.vertices.end());
    block.vertices.erase(std::unique(block.vertices.begin(), block.vertices.end()), block.vertices.end());
  }
  return blocks;
}

}  // namespace muslin

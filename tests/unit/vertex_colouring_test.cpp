#include "muslin/geometry/vertex_colouring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "muslin/energy/vertex.h"
#include "muslin/model/model.h"

namespace muslin {
namespace {

using Groups = std::vector<std::vector<int>>;

/// Pairs of vertices that share a stencil, from the stencils themselves.
template <size_t N>
void add_pairs(const std::vector<std::array<int, N>>& stencils, std::set<std::pair<int, int>>& pairs) {
  for (const auto& stencil : stencils)
    for (const int a : stencil)
      for (const int b : stencil)
        if (a != b) pairs.insert({a, b});
}

void expect_colouring(int n, const std::set<std::pair<int, int>>& pairs, const Groups& groups) {
  std::vector<int> group_of(n, -1);
  for (size_t g = 0; g < groups.size(); ++g) {
    EXPECT_FALSE(groups[g].empty());
    EXPECT_TRUE(std::is_sorted(groups[g].begin(), groups[g].end()));
    for (const int v : groups[g]) {
      EXPECT_EQ(group_of[v], -1) << v << " is in two groups";
      group_of[v] = static_cast<int>(g);
    }
  }
  for (int v = 0; v < n; ++v) EXPECT_GE(group_of[v], 0) << v << " is in no group";
  for (const auto& [a, b] : pairs) EXPECT_NE(group_of[a], group_of[b]) << a << " and " << b;
}

TEST(VertexColouring, SeparatesAllThatShareAnElementOfCloth) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].grid = Grid();
  scene.cloths[0].grid->points = {23, 17};
  const Model model = build_model(scene);
  std::set<std::pair<int, int>> pairs;
  model.energies.each([&](const auto& energy) { add_pairs(energy.elements().vertices, pairs); });
  const Groups groups = colour_vertices(
      model.vertex_count(), [&](int v, const auto& visit) { for_each_neighbour(model.energies, v, visit); });
  expect_colouring(model.vertex_count(), pairs, groups);
  std::vector<int> neighbours(model.vertex_count(), 0);
  for (const auto& pair : pairs) ++neighbours[pair.first];
  EXPECT_LE(static_cast<int>(groups.size()), 1 + *std::max_element(neighbours.begin(), neighbours.end()))
      << "more than greedy can need";
}

TEST(VertexColouring, OfRandomGraphs) {
  std::mt19937 random(7);
  for (const int n : {1, 2, 9, 60}) {
    for (const int edges : {0, n, 5 * n}) {
      std::set<std::pair<int, int>> pairs;
      std::vector<std::vector<int>> rows(n);
      for (int e = 0; e < edges; ++e) {
        const int a = static_cast<int>(random() % n), b = static_cast<int>(random() % n);
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
          rows[from].push_back(to);  // itself and repetitions, too
          if (from != to) pairs.insert({from, to});
        }
      }
      const Groups groups = colour_vertices(n, [&](int v, const auto& visit) {
        for (const int other : rows[v]) visit(other);
      });
      expect_colouring(n, pairs, groups);
    }
  }
}

TEST(VertexColouring, TakesTheFirstFreeGroup) {
  // A path 0–1–2–3 and a vertex 4 that knows 0 and 1.
  const std::vector<std::vector<int>> rows{{1, 4}, {0, 2, 4}, {1, 3}, {2}, {0, 1}};
  const Groups groups = colour_vertices(5, [&](int v, const auto& visit) {
    for (const int other : rows[v]) visit(other);
  });
  EXPECT_EQ(groups, (Groups{{0, 2}, {1, 3}, {4}}));
  EXPECT_EQ(colour_vertices(0, [](int, const auto&) {}), Groups());
}

}  // namespace
}  // namespace muslin

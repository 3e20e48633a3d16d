#include "muslin/geometry/ordering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "muslin/geometry/shapes.h"
#include "muslin/geometry/sheet.h"
#include "shuffled_mesh.h"

namespace muslin {
namespace {

Mesh sheet(int along_u, int along_v) {
  return make_sheet({along_u, along_v}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::forward);
}

/// Two sheets that touch nowhere, and a vertex that no triangle has.
Mesh two_pieces_and_a_crumb() {
  Mesh mesh = sheet(50, 40);
  const Mesh other = sheet(30, 60);
  const int first = mesh.vertex_count(), count = first + other.vertex_count() + 1;
  mesh.positions.conservativeResize(3, count);
  mesh.positions.middleCols(first, other.vertex_count()) = other.positions;
  mesh.positions.col(count - 1) = Vec3(1, 2, 3);
  mesh.uv.insert(mesh.uv.end(), other.uv.begin(), other.uv.end());
  mesh.uv.emplace_back(4, 5);
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({first + a, first + b, first + c});
  for (const auto& [a, b] : other.diagonals) mesh.diagonals.push_back({first + a, first + b});
  return mesh;
}

/// The cache as a queue of lines.
int misses_by_queue(const std::vector<Stencil<3>>& triangles) {
  std::deque<int> cache;
  int misses = 0;
  for (const Stencil<3>& triangle : triangles)
    for (const int v : triangle) {
      if (std::find(cache.begin(), cache.end(), v / 8) != cache.end()) continue;
      ++misses;
      cache.push_back(v / 8);
      if (cache.size() > 256) cache.pop_front();
    }
  return misses;
}

TEST(CacheMisses, AreThoseOfAQueueOfLines) {
  for (const int nv : {2, 40, 100})
    for (const Mesh& mesh : {sheet(40, nv), shuffled(sheet(40, nv), 7).mesh}) {
      const int lines = (mesh.vertex_count() + 7) / 8;
      EXPECT_DOUBLE_EQ(cache_misses(mesh.vertex_count(), mesh.triangles),
                       double(misses_by_queue(mesh.triangles)) / lines);
    }
  EXPECT_EQ(cache_misses(0, {}), 1);
}

TEST(CacheMisses, AreFewRowByRowAndManyAtRandom) {
  const Mesh mesh = sheet(200, 100);
  EXPECT_EQ(cache_misses(mesh.vertex_count(), mesh.triangles), 1);
  const Mesh random = shuffled(mesh, 1).mesh;
  EXPECT_GT(cache_misses(random.vertex_count(), random.triangles), 30);
}

TEST(LocalOrder, LeavesGoodAndSmallMeshesAlone) {
  for (const Mesh& mesh : {sheet(200, 100), sheet(10000, 2), sheet(2, 10000), two_pieces_and_a_crumb(),
                           shuffled(sheet(45, 45), 2).mesh, make_tube(60, 100, 0.2, 1), Mesh()})
    EXPECT_TRUE(local_order(mesh).empty()) << mesh.vertex_count();
}

TEST(LocalOrder, MakesMissesFew) {
  IrregularSheet irregular;
  irregular.points = 101;
  irregular.grading = 10;
  for (const Mesh& mesh : {sheet(200, 100), sheet(2000, 5), two_pieces_and_a_crumb(),
                           make_irregular_sheet(irregular), make_tube(60, 100, 0.2, 1)}) {
    const Mesh bad = shuffled(mesh, 5).mesh;
    const Mesh good = reordered(bad, local_order(bad));
    EXPECT_GT(cache_misses(bad.vertex_count(), bad.triangles), 3);
    EXPECT_LT(cache_misses(good.vertex_count(), good.triangles), 1.2);
  }
}

TEST(LocalOrder, GivesEveryPieceARunOfNumbers) {
  const Mesh mesh = shuffled(two_pieces_and_a_crumb(), 9).mesh;
  const Mesh other = reordered(mesh, local_order(mesh));
  ASSERT_EQ(other.vertex_count(), 2000 + 1800 + 1);
  std::vector<int> border{0};  // where no triangle reaches across
  std::vector<bool> crossed(other.vertex_count());
  for (const Stencil<3>& t : other.triangles) {
    const auto [low, high] = std::minmax({t[0], t[1], t[2]});
    std::fill(crossed.begin() + low + 1, crossed.begin() + high + 1, true);
  }
  std::vector<int> sizes;
  for (int v = 1; v <= other.vertex_count(); ++v)
    if (v == other.vertex_count() || !crossed[v]) {
      sizes.push_back(v - border.back());
      border.push_back(v);
    }
  std::sort(sizes.begin(), sizes.end());
  EXPECT_EQ(sizes, (std::vector<int>{1, 1800, 2000}));
}

TEST(Reordered, IsTheSameMesh) {
  const Mesh mesh = shuffled(two_pieces_and_a_crumb(), 4).mesh;
  const MeshOrder order = local_order(mesh);
  const Mesh other = reordered(mesh, order);
  std::vector<int> sorted = order.vertices;
  std::sort(sorted.begin(), sorted.end());
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    ASSERT_EQ(sorted[v], v) << "every vertex once";
    EXPECT_EQ(other.positions.col(v), mesh.positions.col(order.vertices[v]));
    EXPECT_EQ(other.uv[v], mesh.uv[order.vertices[v]]);
  }
  int previous = 0;
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(order.vertices[other.triangles[t][k]], mesh.triangles[order.triangles[t]][k]);
    const auto& [a, b, c] = other.triangles[t];
    EXPECT_LE(previous, std::min({a, b, c}));
    previous = std::min({a, b, c});
  }
  ASSERT_EQ(other.diagonals.size(), mesh.diagonals.size());
  EXPECT_TRUE(std::is_sorted(other.diagonals.begin(), other.diagonals.end()));
  for (const auto& [a, b] : other.diagonals) {
    EXPECT_LT(a, b);
    const auto [low, high] = std::minmax(order.vertices[a], order.vertices[b]);
    EXPECT_TRUE(std::binary_search(mesh.diagonals.begin(), mesh.diagonals.end(), Stencil<2>{low, high}));
  }
}

TEST(Numbering, ChangesOnlyThingsWithAnOrder) {
  Numbering numbers;
  numbers.append(0, 3, {});
  EXPECT_TRUE(numbers.same());
  EXPECT_EQ(numbers.to_model(7), 7);
  numbers.append(3, 4, {2, 3, 1, 0});
  numbers.append(7, 2, {});
  const std::vector<int> user{0, 1, 2, 5, 6, 4, 3, 7, 8};
  Points columns(3, 9);
  for (int v = 0; v < 9; ++v) {
    EXPECT_EQ(numbers.to_user(v), user[v]);
    EXPECT_EQ(numbers.to_model(user[v]), v);
    columns.col(v).setConstant(v);
  }
  const Points of_user = numbers.to_user(columns);
  for (int v = 0; v < 9; ++v) EXPECT_EQ(of_user(0, user[v]), v);
  EXPECT_EQ(numbers.to_model(of_user), columns);
  EXPECT_FALSE(numbers == Numbering());
}

}  // namespace
}  // namespace muslin

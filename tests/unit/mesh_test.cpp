#include "muslin/geometry/mesh.h"
#include "muslin/geometry/topology.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "muslin/core/check.h"

namespace muslin {
namespace {

using Triangles = std::vector<Stencil<3>>;

bool has_vertex(const Stencil<3>& triangle, int v) {
  return std::find(triangle.begin(), triangle.end(), v) != triangle.end();
}

/// All triangles with both ends of an edge, by looking at each.
std::vector<int> triangles_of_edge(const Triangles& triangles, int a, int b) {
  std::vector<int> found;
  for (size_t t = 0; t < triangles.size(); ++t)
    if (has_vertex(triangles[t], a) && has_vertex(triangles[t], b)) found.push_back(static_cast<int>(t));
  return found;
}

int vertex_across(const Stencil<3>& triangle, int a, int b) {
  return *std::find_if(triangle.begin(), triangle.end(), [&](int v) { return v != a && v != b; });
}

/// Different vertices within a triangle; edges may have any number of triangles.
Triangles any_triangles(int vertex_count) {
  const auto vertex = rc::gen::inRange(0, vertex_count);
  auto triangles = *rc::gen::container<Triangles>(rc::gen::container<Stencil<3>>(vertex));
  triangles.erase(std::remove_if(triangles.begin(), triangles.end(),
                                 [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }),
                  triangles.end());
  return triangles;
}

std::string message_of(int vertex_count, const Triangles& triangles) {
  try {
    build_topology(vertex_count, triangles, "cloth.obj");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid);
    return error.what();
  }
  return "";
}

RC_GTEST_PROP(Topology, AgreesWithLookingAtEveryPair, ()) {
  const int vertex_count = *rc::gen::inRange(3, 20);
  const Triangles triangles = any_triangles(vertex_count);

  std::vector<Stencil<2>> edges;
  bool manifold = true;
  for (int a = 0; a < vertex_count; ++a)
    for (int b = a + 1; b < vertex_count; ++b) {
      const size_t count = triangles_of_edge(triangles, a, b).size();
      if (count > 0) edges.push_back({a, b});
      manifold = manifold && count <= 2;
    }
  if (!manifold) {
    RC_ASSERT_THROWS_AS(build_topology(vertex_count, triangles, "mesh"), Error);
    return;
  }
  const Topology topology = build_topology(vertex_count, triangles, "mesh");
  RC_ASSERT(topology.edges == edges);
  RC_ASSERT(topology.hinges.size() == edges.size());
  for (const Hinge& hinge : topology.hinges) {
    const std::vector<int> around = triangles_of_edge(triangles, hinge.v0, hinge.v1);
    RC_ASSERT(hinge.v0 < hinge.v1);
    RC_ASSERT(hinge.triangle0 == around.front());
    RC_ASSERT(hinge.tip0 == vertex_across(triangles[around.front()], hinge.v0, hinge.v1));
    RC_ASSERT(hinge.triangle1 == (around.size() == 2 ? around[1] : -1));
    RC_ASSERT(hinge.tip1 ==
              (around.size() == 2 ? vertex_across(triangles[around[1]], hinge.v0, hinge.v1) : -1));
  }
}

TEST(Topology, OfASquareCutInTwo) {
  const Topology topology = build_topology(4, {{0, 1, 3}, {0, 3, 2}}, "square");
  EXPECT_EQ(topology.edges, (std::vector<Stencil<2>>{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}));
  const Hinge& diagonal = topology.hinges[2];
  EXPECT_EQ(diagonal.tip0, 1);
  EXPECT_EQ(diagonal.tip1, 2);
  EXPECT_EQ(topology.hinges[0].tip1, -1);
  EXPECT_EQ(topology.hinges[0].triangle1, -1);
}

TEST(Topology, EulerCharacteristicOfATorusIsZero) {
  constexpr int kSide = 12;
  Triangles triangles;
  const auto vertex = [](int i, int j) { return i % kSide + kSide * (j % kSide); };
  for (int j = 0; j < kSide; ++j)
    for (int i = 0; i < kSide; ++i) {
      triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  const Topology topology = build_topology(kSide * kSide, triangles, "torus");
  EXPECT_EQ(kSide * kSide - static_cast<int>(topology.edges.size()) + static_cast<int>(triangles.size()), 0);
  for (const Hinge& hinge : topology.hinges) EXPECT_NE(hinge.triangle1, -1);
}

TEST(Topology, OfNothingIsEmpty) {
  EXPECT_TRUE(build_topology(0, {}, "nothing").edges.empty());
  EXPECT_TRUE(build_topology(5, {}, "points").hinges.empty());
}

TEST(Topology, RefusesAnEdgeOfThreeTrianglesByName) {
  EXPECT_EQ(message_of(5, {{0, 1, 2}, {1, 0, 3}, {4, 0, 1}}),
            "cloth.obj: edge 0-1 must have at most two triangles, got 3: triangles 0, 1, 2 (counted from 0)");
}

TEST(Topology, RefusesARepeatedVertex) {
  EXPECT_EQ(message_of(3, {{0, 1, 2}, {2, 1, 2}}),
            "cloth.obj: triangle 1 must have three different vertices, got 2 1 2");
}

TEST(Topology, RefusesVerticesThatAreNotThere) {
  EXPECT_EQ(message_of(3, {{0, 1, 3}}), "cloth.obj: triangle 0 must have vertices 0 to 2, got 3");
  EXPECT_EQ(message_of(3, {{0, -1, 2}}), "cloth.obj: triangle 0 must have vertices 0 to 2, got -1");
}

TEST(Topology, NamesTenProblemsAndCountsTheOthers) {
  const std::string message = message_of(1, Triangles(25, Stencil<3>{0, 0, 0}));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 10);
  EXPECT_NE(message.find("triangle 9 "), message.npos);
  EXPECT_EQ(message.find("triangle 10 "), message.npos);
  EXPECT_NE(message.find("\nand 15 more"), message.npos);
}

RC_GTEST_PROP(Incidence, ListsEveryCornerOnce, ()) {
  const int vertex_count = *rc::gen::inRange(3, 20);
  const Triangles triangles = any_triangles(vertex_count);
  const Incidence rows = build_incidence(vertex_count, triangles);
  RC_ASSERT(rows.item.size() == 3 * triangles.size());
  for (int v = 0; v < vertex_count; ++v)
    for (int k = rows.begin[v]; k < rows.begin[v + 1]; ++k) {
      RC_ASSERT(triangles[rows.item[k]][rows.slot[k]] == v);
      if (k > rows.begin[v]) RC_ASSERT(rows.item[k - 1] < rows.item[k]);
    }
}

TEST(Normals, OfAnOctahedronPointOutwards) {
  Points positions(3, 6);
  positions << 1, -1, 0, 0, 0, 0,  //
      0, 0, 1, -1, 0, 0,           //
      0, 0, 0, 0, 1, -1;
  const Triangles triangles{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                            {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  const Points normals = vertex_normals(1e-6 * positions, triangles);
  EXPECT_LT((normals - positions).norm(), 1e-12);
}

TEST(Normals, AreWeightedByArea) {
  Points positions(3, 5);      // about vertex 0: area 1/2 facing z, area 3/2 facing x
  positions << 0, 1, 0, 0, 0,  //
      0, 0, 1, 1, 0,           //
      0, 0, 0, 0, 3;
  const Points normals = vertex_normals(positions, {{0, 1, 2}, {0, 3, 4}});
  EXPECT_LT((normals.col(0) - Vec3(3, 0, 1) / std::sqrt(10.0)).norm(), 1e-15);
}

TEST(Normals, AreZeroWhereThereIsNoArea) {
  Points positions = Points::Random(3, 4);
  positions.col(2) = 0.5 * (positions.col(0) + positions.col(1));
  positions.col(1) = positions.col(0);
  EXPECT_EQ(vertex_normals(positions, {{0, 1, 2}}), Points::Zero(3, 4));
}

RC_GTEST_PROP(Area, IsHerons, (const std::array<int, 9>& n)) {
  const Vec3 a(n[0] % 100, n[1] % 100, n[2] % 100);
  const Vec3 b(n[3] % 100, n[4] % 100, n[5] % 100);
  const Vec3 c(n[6] % 100, n[7] % 100, n[8] % 100);
  const double u = (b - a).norm();
  const double v = (c - b).norm();
  const double w = (a - c).norm();
  const double s = (u + v + w) / 2;
  const double squared = std::max(0.0, s * (s - u) * (s - v) * (s - w));
  RC_ASSERT(std::abs(std::pow(triangle_area(a, b, c), 2) - squared) <= 1e-9 * (1 + s * s * s * s));
}

}  // namespace
}  // namespace muslin

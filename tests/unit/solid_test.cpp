#include "muslin/repair/solid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "muslin/audit/bodies.h"
#include "muslin/audit/gap.h"
#include "muslin/geometry/solids.h"

namespace muslin {
namespace {

/// A ball with a spike or a pit at every vertex.
Mesh star() {
  Mesh mesh = make_sphere(1, 0.3);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> length(0.4, 1.2);
  for (int v = 0; v < mesh.vertex_count(); ++v) mesh.positions.col(v) *= length(random);
  return mesh;
}

double nearest_of_all(const Mesh& mesh, const Vec3& place) {
  double least = kInfinity;
  for (const auto& [a, b, c] : mesh.triangles)
    least = std::min(
        least, vertex_triangle_gap(place, mesh.positions.col(a), mesh.positions.col(b), mesh.positions.col(c))
                   .distance);
  return least;
}

TEST(Solid, KnowsTheWayOut) {
  const Mesh mesh = star();
  const Solid solid(mesh.positions, *facing_outwards(mesh.positions, mesh.triangles));
  std::mt19937 random(2);
  std::uniform_real_distribution<double> coordinate(-1.3, 1.3);
  int inside = 0;
  for (int k = 0; k < 2000; ++k) {
    Vec3 place;
    for (int axis = 0; axis < 3; ++axis) place[axis] = coordinate(random);
    const auto [distance, normal] = solid.surface_at(place);
    EXPECT_NEAR(std::abs(distance), nearest_of_all(mesh, place), 1e-12);
    EXPECT_EQ(distance<0, std::abs(winding_number(mesh.positions, mesh.triangles, place))> 0.5) << k;
    EXPECT_NEAR(nearest_of_all(mesh, place - distance * normal), 0, 1e-12);
    EXPECT_NEAR(normal.norm(), 1, 1e-12);
    if (distance < 0) ++inside;
  }
  EXPECT_GT(inside, 100);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    EXPECT_EQ(solid.surface_at(mesh.positions.col(v)).distance, 0);
}

TEST(Solid, FacesOutwardsOrIsNone) {
  const Mesh ball = make_sphere(1, 0.3);
  std::vector<Stencil<3>> inwards = ball.triangles;
  for (auto& [a, b, c] : inwards) std::swap(b, c);
  for (const auto& triangles : {ball.triangles, inwards}) {
    const auto outwards = facing_outwards(ball.positions, triangles);
    ASSERT_TRUE(outwards);
    EXPECT_LT(Solid(ball.positions, *outwards).surface_at(Vec3::Zero()).distance, -0.9);
  }
  std::vector<Stencil<3>> holed = ball.triangles, turned = ball.triangles;
  holed.pop_back();
  std::swap(turned[5][0], turned[5][1]);
  EXPECT_FALSE(facing_outwards(ball.positions, holed));
  EXPECT_FALSE(facing_outwards(ball.positions, turned));
}

}  // namespace
}  // namespace muslin

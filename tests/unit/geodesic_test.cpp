#include "muslin/geometry/geodesic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "muslin/geometry/shapes.h"

namespace muslin {
namespace {

std::vector<double> distances(const Mesh& mesh, int source) {
  const Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, "mesh");
  std::vector<double> lengths;
  for (const auto& [a, b] : topology.edges)
    lengths.push_back((mesh.positions.col(a) - mesh.positions.col(b)).norm());
  return geodesic_distances(edge_lengths(mesh.vertex_count(), mesh.triangles, topology.edges, lengths),
                            source);
}

TEST(Geodesic, IsTheStraightWayOnAFlatSheet) {
  for (const double grading : {1.0, 6.0}) {
    const Mesh mesh = make_irregular_sheet({.points = 24, .grading = grading, .seed = 5});
    for (const int source : {0, 23, 300, 575}) {
      const std::vector<double> distance = distances(mesh, source);
      for (int v = 0; v < mesh.vertex_count(); ++v)
        EXPECT_NEAR(distance[v], (mesh.positions.col(v) - mesh.positions.col(source)).norm(), 1e-7) << v;
    }
  }
}

TEST(Geodesic, GoesAroundATube) {
  constexpr int kAround = 64, kAlong = 40;
  const double radius = 0.1, length = 0.4;
  const std::vector<double> distance = distances(make_tube(kAround, kAlong, radius, length), 0);
  // Unrolled: chords in place of arcs
  const double side = 2 * radius * std::sin(std::numbers::pi / kAround);
  for (int j = 0; j < kAlong; ++j)
    for (int i = 0; i < kAround; ++i) {
      const double straight = std::hypot(std::min(i, kAround - i) * side, length * j / (kAlong - 1));
      EXPECT_NEAR(distance[j * kAround + i], straight, 1e-7) << i << ", " << j;
    }
}

TEST(Geodesic, PassesHolesAndKnowsNoWayToOtherPieces) {
  Mesh sheet = make_irregular_sheet({.points = 25});
  const Mesh holed = cut_holes(sheet, {{Vec3(0.5, 0, 0.5), 0.3}});
  const std::vector<double> distance = distances(holed, 0);
  const int far = holed.vertex_count() - 1;
  EXPECT_GT(distance[far], (holed.positions.col(far) - holed.positions.col(0)).norm() + 0.1);
  EXPECT_LT(distance[far], 2);

  Mesh two = sheet;
  const int n = sheet.vertex_count();
  two.positions.conservativeResize(3, 2 * n);
  two.positions.rightCols(n) = sheet.positions;
  for (const auto& [a, b, c] : sheet.triangles) two.triangles.push_back({a + n, b + n, c + n});
  EXPECT_TRUE(std::isinf(distances(two, 0)[n]));
}

}  // namespace
}  // namespace muslin

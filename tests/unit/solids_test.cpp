#include "muslin/geometry/solids.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "muslin/geometry/sdf.h"
#include "muslin/geometry/topology.h"

namespace muslin {
namespace {

Vec3 corner(const Mesh& mesh, int triangle, int k) { return mesh.positions.col(mesh.triangles[triangle][k]); }

/// By the divergence theorem; positive if normals point outwards.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    sum += corner(mesh, t, 0).dot(corner(mesh, t, 1).cross(corner(mesh, t, 2))) / 6;
  return sum;
}

struct Solid {
  Mesh mesh;
  double volume, slack;  ///< of the solid [m³]; what facets may add, of it
  std::function<double(const Vec3&)> distance;
};
std::vector<Solid> solids() {
  const double r = 0.3, l = 0.5;
  const Vec3 size(0.2, 0.3, 0.4);
  return {{make_sphere(r, 0.05), 4 * M_PI / 3 * r * r * r, 0.02,
           [=](const Vec3& p) { return sphere_surface(p, r).distance; }},
          {make_capsule(r, l, 0.05), M_PI * r * r * (4 * r / 3 + l), 0.02,
           [=](const Vec3& p) { return capsule_surface(p, r, l).distance; }},
          {make_cylinder(r, l, 0.05), M_PI * r * r * l, 0.01,
           [=](const Vec3& p) { return cylinder_surface(p, r, l).distance; }},
          {make_cylinder(0.004, l, 0.05), M_PI * 0.004 * 0.004 * l, 0.06,
           [=](const Vec3& p) { return cylinder_surface(p, 0.004, l).distance; }},
          {make_box(size), size.prod(), 1e-12, [=](const Vec3& p) { return box_surface(p, size).distance; }}};
}

TEST(Solids, AreClosedAndEncloseWhatTheyStandFor) {
  for (const Solid& solid : solids()) {
    const Mesh& mesh = solid.mesh;
    const Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, "solid");
    for (const Hinge& hinge : topology.hinges) EXPECT_GE(hinge.triangle1, 0);
    const int faces = static_cast<int>(mesh.triangles.size()),
              edges = static_cast<int>(topology.edges.size());
    EXPECT_EQ(mesh.vertex_count() - edges + faces, 2);  // Euler
    EXPECT_GE(volume(mesh), solid.volume * (1 - 1e-12));
    EXPECT_LE(volume(mesh), solid.volume * (1 + solid.slack));
    for (int t = 0; t < faces; ++t)  // nowhere below the surface
      for (const Vec3& weight : {Vec3(1, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0, 0.5, 0.5), Vec3(0.4, 0.3, 0.3)}) {
        const Vec3 p =
            weight[0] * corner(mesh, t, 0) + weight[1] * corner(mesh, t, 1) + weight[2] * corner(mesh, t, 2);
        EXPECT_GE(solid.distance(p), -1e-12);
      }
  }
}

TEST(Solids, DiagonalsAreTheEdgesWithinFlatFaces) {
  EXPECT_EQ(make_box({1, 2, 3}).diagonals.size(), 6u);
  const Mesh cylinder = make_cylinder(1, 2, 0.5);
  for (const auto& [a, b] : cylinder.diagonals) {  // none of them is a part of a rim
    const bool both_on_rim = std::abs(cylinder.positions.col(a).y()) == 1 &&
                             std::abs(cylinder.positions.col(b).y()) == 1 &&
                             std::hypot(cylinder.positions(0, a), cylinder.positions(2, a)) > 0.99 &&
                             std::hypot(cylinder.positions(0, b), cylinder.positions(2, b)) > 0.99;
    EXPECT_FALSE(both_on_rim);
  }
  EXPECT_GT(cylinder.diagonals.size(), 20u);
}

TEST(Solids, APlaneReachesAsFarAsItSays) {
  const Mesh plane = make_plane(7);
  ASSERT_EQ(plane.triangles.size(), 1u);
  EXPECT_GT((corner(plane, 0, 1) - corner(plane, 0, 0)).cross(corner(plane, 0, 2) - corner(plane, 0, 0)).y(),
            0);
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = corner(plane, 0, k), b = corner(plane, 0, (k + 1) % 3);
    EXPECT_EQ(a.y(), 0);
    EXPECT_GE(a.cross(b).norm() / (b - a).norm(), 7 * (1 - 1e-12));  // of its sides from the origin
  }
}

}  // namespace
}  // namespace muslin

#include "muslin/geometry/closed_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <random>

#include "mesh_folder.h"
#include "muslin/audit/bodies.h"
#include "muslin/geometry/solids.h"

// Signed distances to closed meshes, against analytic solids, all triangles one by one, and the
// winding number by which the judge knows the inside.

namespace muslin {
namespace {

using Random = std::mt19937;

Vec3 any_place(double most, Random& random) {
  std::uniform_real_distribution<double> draw(-most, most);
  const double x = draw(random), y = draw(random), z = draw(random);
  return {x, y, z};
}

double distance_to_all(const Mesh& mesh, const Vec3& place) {
  double least = kInfinity;
  for (const auto& [a, b, c] : mesh.triangles) {
    Quad x;
    x << place, mesh.positions.col(a), mesh.positions.col(b), mesh.positions.col(c);
    least = std::min(least, closest_points(PairKind::point_triangle, x).distance);
  }
  return least;
}

/// A ball with dents and thin spikes: the radius of every vertex is another.
Mesh spiky(int around, Random& random) {
  Mesh mesh = ball_mesh(1, around);
  std::uniform_real_distribution<double> radius(0.3, 2);
  for (auto place : mesh.positions.colwise()) place *= radius(random);
  return mesh;
}

/// Every triangle with vertices of its own, as in files with texture coordinates.
Mesh torn_apart(const Mesh& mesh) {
  Mesh apart;
  apart.positions.resize(3, 3 * static_cast<int>(mesh.triangles.size()));
  for (const Stencil<3>& triangle : mesh.triangles) {
    const int first = 3 * static_cast<int>(apart.triangles.size());
    for (int k = 0; k < 3; ++k) apart.positions.col(first + k) = mesh.positions.col(triangle[k]);
    apart.triangles.push_back({first, first + 1, first + 2});
  }
  return apart;
}

Mesh turned_about(Mesh mesh) {
  for (auto& [a, b, c] : mesh.triangles) std::swap(b, c);
  return mesh;
}

TEST(ClosedSurface, ABoxIsAsFarAsTheAnalyticOne) {
  Random random(1);
  const Vec3 size(1, 2, 0.5);
  for (const Mesh& mesh : {make_box(size), torn_apart(make_box(size)), turned_about(make_box(size))}) {
    ASSERT_EQ(ClosedSurface::problem(mesh), "");
    const ClosedSurface surface(mesh);
    EXPECT_NEAR(surface.reach(), size.norm() / 2, 1e-15);
    int inside = 0;
    for (int k = 0; k < 5000; ++k) {
      const Vec3 place = any_place(1.2, random);
      const auto [distance, normal] = surface.at(place);
      const SurfacePoint exact = box_surface(place, size);
      ASSERT_NEAR(distance, exact.distance, 1e-14) << place.transpose();
      ASSERT_LT((normal - exact.normal).norm(), 1e-12) << place.transpose();
      inside += distance < 0;
    }
    EXPECT_GT(inside, 100);
  }
}

TEST(ClosedSurface, SpikesAndDentsHaveTheInsideThatWindingNumbersTell) {
  Random random(2);
  for (int shape = 0; shape < 20; ++shape) {
    const Mesh mesh = spiky(6 + 2 * (shape % 5), random);
    const ClosedSurface surface(mesh);
    for (int k = 0; k < 500; ++k) {
      const Vec3 place = any_place(1.5, random);
      const double winding = winding_number(mesh.positions, mesh.triangles, place),
                   distance = distance_to_all(mesh, place);
      const auto found = surface.at(place);
      ASSERT_NEAR(std::abs(found.distance), distance, 1e-14) << place.transpose();
      ASSERT_EQ(found.distance<0, winding> 0.5) << place.transpose() << ", winding number " << winding;
      ASSERT_NEAR(surface.at(place - found.distance * found.normal).distance, 0, 1e-12);
    }
  }
}

Mesh joined(Mesh mesh, const Mesh& other) {
  const int first = mesh.vertex_count();
  Points places(3, first + other.vertex_count());
  places << mesh.positions, other.positions;
  mesh.positions = places;
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
  return mesh;
}

// Whichever way their fronts look.
TEST(ClosedSurface, HasAnInsideInEveryPiece) {
  const Mesh left = make_box({1, 1, 1});
  Mesh right = make_box({0.5, 0.5, 0.5});
  right.positions.colwise() += Vec3(2, 0, 0);
  for (const Mesh& one : {left, turned_about(left)})
    for (const Mesh& other : {right, turned_about(right)})
      for (const Mesh& both : {joined(one, other), joined(other, one)}) {
        ASSERT_EQ(ClosedSurface::problem(both), "");
        const ClosedSurface surface(both);
        EXPECT_NEAR(surface.at({0.1, 0, 0}).distance, -0.4, 1e-14);
        EXPECT_NEAR(surface.at({2.1, 0, 0}).distance, -0.15, 1e-14);
        EXPECT_NEAR(surface.at({1, 0, 0}).distance, 0.5, 1e-14);
        EXPECT_NEAR(surface.at({2, 1, 0}).distance, 0.75, 1e-14);
      }
}

// A box with a hollow, into which its inner fronts look; and with a solid in the hollow.
TEST(ClosedSurface, HasHollows) {
  const Mesh outer = make_box({2, 2, 2}), inner = turned_about(make_box({1, 1, 1}));
  for (const Mesh& mesh : {joined(outer, inner), turned_about(joined(outer, inner))}) {
    const ClosedSurface surface(mesh);
    EXPECT_NEAR(surface.at({0, 0.1, 0}).distance, 0.4, 1e-14) << "in the hollow";
    EXPECT_NEAR(surface.at({0, 0.7, 0}).distance, -0.2, 1e-14) << "in the wall";
    EXPECT_NEAR(surface.at({0, 1.3, 0}).distance, 0.3, 1e-14);
  }
}

// Beyond a corner whose faces are narrow, the normal of a single face may look away from the place.
TEST(ClosedSurface, PlacesBeyondCornersAndEdgesAreOutside) {
  Random random(3);
  for (int shape = 0; shape < 20; ++shape) {
    const Mesh mesh = spiky(8, random);
    const ClosedSurface surface(mesh);
    for (const auto& corner : mesh.positions.colwise()) {
      const auto [distance, normal] = surface.at(corner);
      EXPECT_NEAR(distance, 0, 1e-14);
      EXPECT_NEAR(normal.norm(), 1, 1e-14) << "has a normal on a corner, too";
      const Vec3 beyond = 1.001 * corner;
      EXPECT_EQ(surface.at(beyond).distance<0, winding_number(mesh.positions, mesh.triangles, beyond)> 0.5);
    }
  }
}

TEST(ClosedSurface, TrianglesWithoutAreaChangeNothing) {
  Random random(4);
  const Mesh box = make_box({1, 1, 1});
  // A corner on the middle of a side: the triangle beside it is divided, and one without area closes the gap.
  Mesh mesh = box;
  const auto [a, b, c] = box.triangles[0];
  const int middle = mesh.vertex_count();
  mesh.positions.conservativeResize(3, middle + 1);
  mesh.positions.col(middle) = (box.positions.col(a) + box.positions.col(b)) / 2;
  mesh.triangles[0] = {a, middle, c};
  mesh.triangles.push_back({middle, b, c});
  mesh.triangles.push_back({a, b, middle});
  ASSERT_EQ(ClosedSurface::problem(mesh), "");
  const ClosedSurface with(mesh), without(box);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 place = any_place(1, random);
    ASSERT_NEAR(with.at(place).distance, without.at(place).distance, 1e-14);
  }
}

// Places that go to and fro near it, rest, come from afar, and lie on vertices: the same bits either way.
TEST(ClosedSurface, WhatIsNearbyIsFoundAgain) {
  Random random(6);
  for (const Mesh& mesh : {make_box({1, 2, 0.5}), spiky(10, random), ball_mesh(1, 60)}) {
    const ClosedSurface surface(mesh);
    const double spacing = std::sqrt(10.0 / static_cast<double>(mesh.triangles.size()));
    for (int walk = 0; walk < 40; ++walk) {
      NearbyFaces nearby;
      Vec3 place = mesh.positions.col(walk % mesh.positions.cols());
      double before = std::abs(surface.at(place).distance);
      size_t kept = 0;
      for (int k = 0; k < 200; ++k) {
        const Vec3 way = (k % 40 == 39 ? 1 : k % 7 == 6 ? 0 : 0.02 * spacing) * any_place(1, random);
        place += way;
        const SurfacePoint found = surface.at(place, way.norm(), before, nearby), plain = surface.at(place);
        ASSERT_EQ(found.distance, plain.distance) << place.transpose();
        ASSERT_EQ(found.normal, plain.normal) << place.transpose();
        before = std::abs(plain.distance);
        kept += nearby.leaves.size();
      }
      EXPECT_GT(kept, 0u);
    }
  }
}

TEST(ClosedSurface, APlaceThatIsNoNumberIsNowhereNear) {
  const ClosedSurface surface(make_box({1, 1, 1}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(surface.at({0, nan, 0}).distance, kInfinity);
  EXPECT_EQ(surface.mixed(Points::Ones(3, 8), {nan, 0, 0}), Vec3::Zero());
}

TEST(ClosedSurface, MovesWithItsVertices) {
  Random random(5);
  const Mesh mesh = spiky(12, random), other = spiky(12, random);
  const ClosedSurface moved(ClosedSurface(mesh), other.positions), made(other);
  for (int k = 0; k < 500; ++k) {
    const Vec3 place = any_place(1.5, random);
    EXPECT_EQ(moved.at(place).distance, made.at(place).distance);
    EXPECT_EQ(moved.at(place).normal, made.at(place).normal);
    const auto [distance, normal] = made.at(place);
    EXPECT_LT((made.mixed(other.positions, place) - (place - distance * normal)).norm(), 1e-13);
  }
}

TEST(ClosedSurface, ASingleTriangleIsAPlane) {
  const Mesh plane = make_plane(10);
  const ClosedSurface surface(plane);
  EXPECT_NEAR(surface.at({1, 2, -3}).distance, 2, 1e-13);
  EXPECT_NEAR(surface.at({1, -2, -3}).distance, -2, 1e-13);
  EXPECT_TRUE(surface.may_be_within(0.1, {1, -2, -3}));
}

TEST(ClosedSurface, SaysWhyAMeshEnclosesNothing) {
  const Mesh box = make_box({1, 1, 1});
  const auto expect_problem = [](const Mesh& mesh, const std::string& words) {
    for (const Mesh& form : {mesh, torn_apart(mesh)})
      EXPECT_EQ(ClosedSurface::problem(form).rfind(words, 0), 0u) << ClosedSurface::problem(form);
  };
  Mesh flat = box;
  flat.positions.setZero();
  expect_problem(flat, "has no area");
  const std::string open = "is open, or turns its front, at edge ";
  Mesh holed = box;
  holed.triangles.pop_back();
  expect_problem(holed, open);
  Mesh twisted = box;
  std::swap(twisted.triangles[3][0], twisted.triangles[3][1]);
  expect_problem(twisted, open);
  Mesh finned = box;
  finned.positions.conservativeResize(3, box.vertex_count() + 1);
  finned.positions.col(box.vertex_count()) = Vec3(5, 5, 5);
  finned.triangles.push_back({box.triangles[0][0], box.triangles[0][1], box.vertex_count()});
  expect_problem(finned, open);
}

}  // namespace
}  // namespace muslin

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <set>

#include "muslin/contact/vertices/gap.h"
#include "muslin/geometry/colouring.h"
#include "muslin/geometry/spatial_hash.h"
#include "muslin/model/collider_shape.h"

namespace muslin {
namespace {

using Random = std::mt19937_64;
constexpr double kPi = std::numbers::pi;

double between(double low, double high, Random& random) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
Vec3 any_place(double reach, Random& random) {
  const double x = between(-reach, reach, random), y = between(-reach, reach, random);
  return {x, y, between(-reach, reach, random)};
}

// --- spatial hash ----------------------------------------------------------------------------------

/// Every neighbour is visited once, nobody else is. Pairs whose distance is the radius but for rounding may
/// go either way.
void expect_brute_force(const Points& points, double cell, double radius, const std::vector<Vec3>& places) {
  const SpatialHash hash(points, cell);
  for (const Vec3& place : places) {
    std::multiset<int> visited;
    hash.for_each_within(place, radius, [&](int j, const Vec3& x) {
      ASSERT_EQ(x, points.col(j));
      visited.insert(j);
    });
    const double rounding = 1e-15 * (radius + place.cwiseAbs().maxCoeff());
    for (int j = 0; j < points.cols(); ++j) {
      const double distance = (points.col(j) - place).norm();
      const auto count = static_cast<int>(visited.count(j));
      if (distance < radius - rounding)
        ASSERT_EQ(count, 1) << "point " << j << " at distance " << distance << " of " << radius;
      else
        ASSERT_LE(count, distance < radius + rounding ? 1 : 0) << "point " << j << " at " << distance;
    }
  }
}
void expect_brute_force(const Points& points, double cell, double radius) {
  std::vector<Vec3> places;
  for (int i = 0; i < points.cols(); ++i) places.emplace_back(points.col(i));
  expect_brute_force(points, cell, radius, places);

  const SpatialHash hash(points, cell);
  std::multiset<std::pair<int, int>> once, twice;
  for (int i = 0; i < points.cols(); ++i) {
    hash.for_each_once_within(i, places[i], radius,
                              [&](int j, const Vec3&) { once.insert(std::minmax(i, j)); });
    hash.for_each_within(places[i], radius, [&](int j, const Vec3&) {
      if (i < j) twice.insert({i, j});
    });
  }
  ASSERT_TRUE(once == twice);
}

Points random_points(int count, const std::function<Vec3()>& draw) {
  Points points(3, count);
  for (int i = 0; i < count; ++i) points.col(i) = draw();
  return points;
}

TEST(SpatialHash, FindsRandomNeighbours) {
  Random random(1);
  const Points points = random_points(700, [&] { return any_place(1, random); });
  for (const double radius : {0.01, 0.1, 0.35, 3.0}) expect_brute_force(points, radius, radius);
  expect_brute_force(points, 0.3, 0.2);  // radius below the cell size
}

TEST(SpatialHash, FindsNeighboursInClustersAndDuplicates) {
  Random random(2);
  const Points clustered = random_points(500, [&] {
    const Vec3 middle = any_place(1, random).array().round();
    return Vec3(middle + any_place(1e-3, random));
  });
  expect_brute_force(clustered, 1e-3, 1e-3);
  const Points twice = random_points(300, [&] { return Vec3(any_place(2, random).array().round()); });
  expect_brute_force(twice, 0.5, 0.5);
  expect_brute_force(Points::Constant(3, 50, -0.25), 0.25, 0.25);
}

TEST(SpatialHash, FindsNeighboursAcrossCellBorders) {
  for (const double cell : {0.1, 1.0, 1.0 / 3}) {
    Points lattice(3, 7 * 7 * 7);
    for (int i = 0; i < lattice.cols(); ++i)
      lattice.col(i) = cell * Vec3(i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3);
    expect_brute_force(lattice, cell, cell);
    expect_brute_force(Points(0.5 * lattice), cell, cell);
    expect_brute_force(Points(0.999 * lattice), cell, cell);
    expect_brute_force(Points(lattice.array() - 1e-17), cell, cell);
  }
}

TEST(SpatialHash, FindsNeighboursFarAway) {
  Random random(3);
  for (const Vec3& middle :
       {Vec3(1e6, -1e6, 1e6), Vec3(-1e6, 0, 3), Vec3(0, 1e9, 0), Vec3(1e14, 1e14, -1e14)}) {
    const double cell = 0.1 * std::max(1.0, middle.cwiseAbs().maxCoeff() * 1e-9);
    const Points points = random_points(400, [&] { return Vec3(middle + any_place(8 * cell, random)); });
    expect_brute_force(points, cell, cell);
  }
  // Two crowds whose cells are 2²¹ apart, the period of the keys, and an outlier at the end of the world.
  Points two = random_points(200, [&] { return any_place(1, random); });
  for (int i = 0; i < 100; ++i) two(0, i) += 0.25 * (1 << 21);
  two.col(199) = Vec3(1e300, -1e300, 0);
  expect_brute_force(two, 0.25, 0.25);
}

TEST(SpatialHash, FindsNothingInNothing) {
  const SpatialHash hash(Points(3, 0), 1);
  hash.for_each_within(Vec3::Zero(), 1, [](int, const Vec3&) { FAIL(); });
}

// --- colouring -------------------------------------------------------------------------------------

template <size_t N>
void expect_valid(const Colouring& colouring, const std::vector<std::array<int, N>>& stencils) {
  std::multiset<int> covered(colouring.rest.begin(), colouring.rest.end());
  for (const std::vector<int>& group : colouring.groups) {
    std::set<int> vertices;
    EXPECT_TRUE(std::is_sorted(group.begin(), group.end()));
    EXPECT_FALSE(group.empty());
    for (const int s : group) {
      covered.insert(s);
      for (const int v : stencils[s]) EXPECT_TRUE(vertices.insert(v).second) << "vertex " << v << " twice";
    }
  }
  EXPECT_EQ(covered.size(), stencils.size());
  for (int s = 0; s < static_cast<int>(stencils.size()); ++s) EXPECT_EQ(covered.count(s), 1u);
}

template <size_t N>
std::vector<std::array<int, N>> random_stencils(int count, int vertices, Random& random) {
  std::vector<std::array<int, N>> stencils;
  while (static_cast<int>(stencils.size()) < count) {
    std::array<int, N> stencil;
    for (int& v : stencil) v = std::uniform_int_distribution<int>(0, vertices - 1)(random);
    if (std::set<int>(stencil.begin(), stencil.end()).size() == N) stencils.push_back(stencil);
  }
  return stencils;
}

TEST(Colouring, NoTwoStencilsOfAGroupShareAVertex) {
  Random random(4);
  for (const int vertices : {8, 30, 300}) {
    const auto pairs = random_stencils<2>(400, vertices, random);
    expect_valid(colour(vertices, pairs), pairs);
    const auto fours = random_stencils<4>(400, vertices, random);
    expect_valid(colour(vertices, fours), fours);
  }
  expect_valid(colour<2>(5, {}), std::vector<std::array<int, 2>>{});
}

TEST(Colouring, AVertexOfEnormousValenceEndsInTheRest) {
  std::vector<std::array<int, 2>> star;
  for (int v = 1; v <= 500; ++v) star.push_back({0, v});
  const Colouring colouring = colour(501, star);
  expect_valid(colouring, star);
  EXPECT_FALSE(colouring.rest.empty());
}

// --- distance to solids ----------------------------------------------------------------------------

/// A solid, told twice: by the library's distance, and by points that cover its surface and a test for its
/// inside.
struct Solid {
  std::string name;
  std::function<SurfacePoint(const Vec3&)> surface;
  std::vector<Vec3> samples;
  double spacing;  ///< no place of the surface is further from a sample
  std::function<bool(const Vec3&)> inside;
};

// Points of the surface that `profile`, a curve (radius, height) over [0, 1], makes as it turns about y.
std::vector<Vec3> revolve(const std::function<Vec2(double)>& profile, int along, int around) {
  std::vector<Vec3> points;
  for (int i = 0; i <= along; ++i)
    for (int j = 0; j < around; ++j) {
      const Vec2 p = profile(double(i) / along);
      const double angle = 2 * kPi * j / around;
      points.emplace_back(p[0] * std::cos(angle), p[1], p[0] * std::sin(angle));
    }
  return points;
}

std::vector<Solid> solids() {
  constexpr int n = 160;
  std::vector<Solid> all;
  const double r = 0.7;
  all.push_back({"sphere", [=](const Vec3& p) { return sphere_surface(p, r); },
                 revolve(
                     [=](double s) -> Vec2 {
                       return {r * std::sin(kPi * s), -r * std::cos(kPi * s)};
                     },
                     n, 2 * n),
                 0.02, [=](const Vec3& p) { return p.dot(p) < r * r; }});
  const double length = 1.1, half = length / 2;
  const auto stadium = [=](double s) -> Vec2 {
    if (s < 0.25) return {r * std::sin(2 * kPi * s), -half - r * std::cos(2 * kPi * s)};
    if (s <= 0.75) return {r, half * (4 * s - 2)};
    return {r * std::sin(2 * kPi * (1 - s)), half + r * std::cos(2 * kPi * (1 - s))};
  };
  all.push_back({"capsule", [=](const Vec3& p) { return capsule_surface(p, r, length); },
                 revolve(stadium, 2 * n, 2 * n), 0.02,
                 [=](const Vec3& p) {
                   const double beyond = std::max(0.0, std::abs(p.y()) - half);
                   return p.x() * p.x() + p.z() * p.z() + beyond * beyond < r * r;
                 }});
  const auto can = [=](double s) -> Vec2 {
    if (s < 0.25) return {r * 4 * s, -half};
    if (s <= 0.75) return {r, half * (4 * s - 2)};
    return {r * 4 * (1 - s), half};
  };
  all.push_back({"cylinder", [=](const Vec3& p) { return cylinder_surface(p, r, length); },
                 revolve(can, 2 * n, 2 * n), 0.02,
                 [=](const Vec3& p) { return std::abs(p.y()) < half && std::hypot(p.x(), p.z()) < r; }});
  const Vec3 size(1.2, 0.6, 1.7);
  Solid box{"box",
            [=](const Vec3& p) { return box_surface(p, size); },
            {},
            0.02,
            [=](const Vec3& p) { return (2 * p.cwiseAbs() - size).maxCoeff() < 0; }};
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-0.5, 0.5})
      for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
          Vec3 p;
          p[axis] = side;
          p[(axis + 1) % 3] = double(i) / n - 0.5;
          p[(axis + 2) % 3] = double(j) / n - 0.5;
          box.samples.push_back(p.cwiseProduct(size));
        }
  all.push_back(box);
  return all;
}

double nearest(const std::vector<Vec3>& samples, const Vec3& p) {
  double best = INFINITY;
  for (const Vec3& s : samples) best = std::min(best, (s - p).squaredNorm());
  return std::sqrt(best);
}

TEST(SignedDistance, IsThatToTheNearestOfManySurfacePoints) {
  Random random(5);
  for (const Solid& solid : solids())
    for (int k = 0; k < 150; ++k) {
      const Vec3 p = any_place(1.6, random);
      const double distance = solid.surface(p).distance, sampled = nearest(solid.samples, p);
      EXPECT_LE(std::abs(distance), sampled + 1e-12) << solid.name << " at " << p.transpose();
      EXPECT_GE(std::abs(distance), sampled - solid.spacing) << solid.name << " at " << p.transpose();
      EXPECT_EQ(distance < 0, solid.inside(p)) << solid.name << " at " << p.transpose();
    }
}

TEST(SignedDistance, NormalIsItsGradientAndLeadsToTheSurface) {
  Random random(6);
  for (const Solid& solid : solids()) {
    int compared = 0;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 p = any_place(1.6, random);
      const auto [distance, normal] = solid.surface(p);
      EXPECT_NEAR(normal.norm(), 1, 1e-12);
      EXPECT_NEAR(solid.surface(p - distance * normal).distance, 0, 1e-12) << solid.name;
      if (distance > 0) {
        EXPECT_NEAR(solid.surface(p + normal).distance, distance + 1, 1e-12) << solid.name;
      }
      const double eps = 1e-5;
      Vec3 slope;
      bool smooth = true;  // not within eps of the medial axis, where distance has a kink
      for (int axis = 0; axis < 3; ++axis) {
        const auto ahead = solid.surface(p + eps * Vec3::Unit(axis)),
                   behind = solid.surface(p - eps * Vec3::Unit(axis));
        slope[axis] = (ahead.distance - behind.distance) / (2 * eps);
        smooth = smooth && (ahead.normal - behind.normal).norm() < 0.1;
      }
      if (!smooth) continue;
      ++compared;
      EXPECT_LT((slope - normal).norm(), 1e-6) << solid.name << " at " << p.transpose();
    }
    EXPECT_GT(compared, 1900) << solid.name;
  }
}

TEST(SignedDistance, DegeneratePlacesHaveUnitNormals) {
  for (const Solid& solid : solids())
    for (const Vec3& p :
         {Vec3(0, 0, 0), Vec3(0, 0.1, 0), Vec3(0, 5, 0), Vec3(0, -5, 0), Vec3(-0.0, -0.0, 0)}) {
      const auto [distance, normal] = solid.surface(p);
      EXPECT_TRUE(std::isfinite(distance)) << solid.name;
      EXPECT_NEAR(normal.norm(), 1, 1e-12) << solid.name;
      EXPECT_NEAR(solid.surface(p - distance * normal).distance, 0, 1e-12) << solid.name;
    }
}

TEST(SignedDistance, PlaneIsTheHeight) {
  Random random(7);
  for (int k = 0; k < 20; ++k) {
    const Vec3 p = any_place(3, random);
    EXPECT_EQ(plane_surface(p).distance, p.y());
    EXPECT_EQ(plane_surface(p).normal, Vec3::UnitY());
  }
}

TEST(SignedDistance, FollowsTheColliderInTheWorld) {
  Random random(8);
  for (int k = 0; k < 100; ++k) {
    Collider plane;
    plane.shape = Shape::plane;
    plane.center = any_place(2, random);
    plane.axis = any_place(2, random);
    const Vec3 p = any_place(3, random), normal = plane.axis.normalized();
    const SurfacePoint on_plane = surface_of(plane, pose_at(plane, 0), p);
    EXPECT_NEAR(on_plane.distance, normal.dot(p - plane.center), 1e-12);
    EXPECT_LT((on_plane.normal - normal).norm(), 1e-12);

    Collider capsule;
    capsule.shape = Shape::capsule;
    capsule.center = any_place(2, random);
    capsule.axis = any_place(2, random);
    capsule.radius = 0.3;
    capsule.length = 1.4;
    const Vec3 along = capsule.axis.normalized();
    const double s = std::clamp(along.dot(p - capsule.center), -0.7, 0.7);
    EXPECT_NEAR(surface_of(capsule, pose_at(capsule, 0), p).distance,
                (p - capsule.center - s * along).norm() - 0.3, 1e-12);
  }
  Collider up_side_down;
  up_side_down.shape = Shape::plane;
  up_side_down.axis = {0, -2, 0};
  EXPECT_NEAR(surface_of(up_side_down, pose_at(up_side_down, 0), {1, 3, 2}).distance, -3, 1e-12);
}

TEST(ColliderBound, SaysFartherOnlyOfPlacesThatAre) {
  Random random(5);
  for (size_t k = 0; k < EnumNames<Shape>::names.size(); ++k) {
    Collider collider;
    collider.shape = Shape{static_cast<int>(k)};
    if (!shape_of(collider).surface) continue;
    int beyond = 0, tries = 0;
    for (; tries < 20000; ++tries) {
      collider.radius = between(0.01, 2, random);
      collider.length = between(0.01, 4, random);
      collider.size = {between(0.01, 3, random), between(0.01, 3, random), between(0.01, 3, random)};
      collider.center = any_place(2, random);
      collider.axis = any_place(1, random);
      const Pose pose = pose_at(collider, 0);
      const Vec3 place = any_place(5, random);
      const double distance = between(-0.5, 1, random);
      if (!ColliderBound(collider, pose, shape_of(collider).reach(collider)).is_farther(place, distance))
        continue;
      ++beyond;
      ASSERT_GT(surface_of(collider, pose, place).distance, distance) << EnumNames<Shape>::names[k];
    }
    EXPECT_GT(beyond, tries / 4) << EnumNames<Shape>::names[k];
  }
}

TEST(SignedDistance, ABoxTurnsAboutXThenYThenZ) {
  Collider box;
  box.shape = Shape::box;
  box.size = {2, 4, 6};
  box.rotation = {90, 90, 0};  // y → z → x, so the long y edge lies along x, z → −y → −y, x → x → −z
  const Pose pose = pose_at(box, 0);
  EXPECT_NEAR(surface_of(box, pose, {5, 0, 0}).distance, 5 - 2, 1e-12);
  EXPECT_NEAR(surface_of(box, pose, {0, 5, 0}).distance, 5 - 3, 1e-12);
  EXPECT_NEAR(surface_of(box, pose, {0, 0, 5}).distance, 5 - 1, 1e-12);
}

}  // namespace
}  // namespace muslin

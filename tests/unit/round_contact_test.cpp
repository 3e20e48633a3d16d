#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "every_pair.h"
#include "muslin/contact/pairs/friction.h"
#include "muslin/geometry/ccd.h"
#include "muslin/geometry/sdf.h"
#include "unit/contact_sheets.h"

// Balls, capsules and planes as contact sees them: by their exact surfaces, which are compared with signed
// distances at many points of cloth.

namespace muslin {
namespace {

using namespace contact_test;

constexpr double kRadius = 0.4, kLength = 0.7, kHalf = 0.01;

struct Body {
  const char* name;
  int (*add)(Surfaces& surfaces, const Piece& piece);
  double (*distance)(const Vec3& place);
};
const Body kBodies[] = {
    {"ball", [](Surfaces& s, const Piece& piece) { return s.add_ball(kRadius, kHalf, piece); },
     [](const Vec3& p) { return sphere_surface(p, kRadius).distance; }},
    {"capsule", [](Surfaces& s, const Piece& p) { return s.add_capsule(kRadius, kLength, kHalf, p); },
     [](const Vec3& p) { return capsule_surface(p, kRadius, kLength).distance; }},
    {"thin capsule", [](Surfaces& s, const Piece& p) { return s.add_capsule(0.02, kLength, kHalf, p); },
     [](const Vec3& p) { return capsule_surface(p, 0.02, kLength).distance; }},
    {"plane", [](Surfaces& s, const Piece& piece) { return s.add_plane(kHalf, piece); },
     [](const Vec3& p) { return std::abs(p.y()); }}};

/// A sheet above a body, at random places outside, and the body in a random pose.
struct Scene {
  Surfaces surfaces;
  Points x;
  Eigen::Affine3d pose;
};
Eigen::Affine3d random_pose(std::uint64_t seed) {
  const Vec3 axis(draw(seed, 0, 0), draw(seed, 0, 1), draw(seed, 0, 2));
  return Eigen::Translation3d(draw(seed, 1, 0), draw(seed, 1, 1), draw(seed, 1, 2)) *
         Eigen::AngleAxisd(3 * draw(seed, 2, 0), axis.normalized());
}
Scene scene_of(const Body& body, std::uint64_t seed) {
  Scene scene;
  Mesh sheet = flat_sheet(6);
  scene.surfaces.add(sheet, kHalf, {});
  body.add(scene.surfaces, {.body = true, .friction = 0.5});
  scene.pose = random_pose(seed);
  scene.x = scene.pose * scene.surfaces.rest;
  for (int v = 0; v < 36; ++v)
    for (int k = 0; k < 100; ++k) {
      const Vec3 place = 0.9 * Vec3(draw(seed, v, 3 * k), draw(seed, v, 3 * k + 1), draw(seed, v, 3 * k + 2));
      scene.x.col(v) = scene.pose * place;
      if (body.distance(place) > 0) break;
    }
  return scene;
}

/// The least value of a convex function over [0, 1].
template <class F>
double least_between(int sections, const F& f) {
  double low = 0, high = 1;
  for (int k = 0; k < sections; ++k) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (f(left) < f(right) ? high : low) = f(left) < f(right) ? right : left;
  }
  return f((low + high) / 2);
}

/// The least signed distance of a triangle of cloth [m]: bodies are convex, and so is the distance to them.
double least_of(const Body& body, const Scene& scene, const Stencil<3>& triangle, int sections) {
  const Eigen::Affine3d local = scene.pose.inverse();
  const Vec3 a = local * scene.x.col(triangle[0]), b = local * scene.x.col(triangle[1]),
             c = local * scene.x.col(triangle[2]);
  return least_between(sections, [&](double s) {
    const Vec3 end = b + s * (c - b);
    return least_between(sections, [&](double t) { return body.distance(a + t * (end - a)); });
  });
}

TEST(RoundContact, PairsAreAsNearAsTheSignedDistanceSays) {
  for (const Body& body : kBodies)
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Scene scene = scene_of(body, seed);
      Candidates candidates(scene.surfaces);
      candidates.detect(scene.x, Points::Zero(3, scene.x.cols()), 10);
      std::vector<double> of_vertex(36, kInfinity);
      std::map<Stencil<3>, double> of_triangle;  // those of its corners and edges, too
      for (const ContactPair& pair : candidates.pairs()) {
        const bool meets_body =
            std::any_of(pair.vertices.begin(), pair.vertices.end(), [](int v) { return v >= 36; });
        if (!meets_body) continue;
        std::vector<int> cloth;
        for (const int v : pair.vertices)
          if (v < 36) cloth.push_back(v);
        const double distance = closest_of(pair, corners(scene.x, pair.vertices)).distance;
        if (cloth.size() == 1) of_vertex[cloth[0]] = std::min(of_vertex[cloth[0]], distance);
        for (const Stencil<3>& t : scene.surfaces.triangles) {
          if (t[0] >= 36) continue;
          const auto has = [&](int v) { return std::find(t.begin(), t.end(), v) != t.end(); };
          if (!std::all_of(cloth.begin(), cloth.end(), has)) continue;
          const auto found = of_triangle.emplace(t, kInfinity).first;
          found->second = std::min(found->second, distance);
        }
      }
      for (int v = 0; v < 36; ++v)
        EXPECT_NEAR(of_vertex[v], body.distance(scene.pose.inverse() * scene.x.col(v)), 1e-14) << body.name;
      EXPECT_EQ(of_triangle.size(), 50u);
      for (const auto& [triangle, distance] : of_triangle) {
        const double least = least_of(body, scene, triangle, 32);
        if (least > 1e-3) {  // else a plane may cut it, or the axis of a capsule
          EXPECT_NEAR(distance, least, 2e-5) << body.name << seed;
        }
      }
    }
}

// Whatever they do, as long as steps are safe.
TEST(RoundContact, NoTriangleEverCutsABody) {
  int turned = 0;
  for (const Body& body : kBodies) {
    int limited = 0;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Surfaces surfaces;
      Mesh sheet = flat_sheet(6, kRadius + kLength / 2 + 0.1);
      sheet.positions.colwise() -= Vec3(0.5, 0, 0.5);
      surfaces.add(sheet, kHalf, {});
      body.add(surfaces, {.body = true, .friction = 0.5});
      const int bodies = surfaces.vertex_count() - 36;
      Candidates candidates(surfaces);
      Scene scene{surfaces, surfaces.rest, Eigen::Affine3d::Identity()};
      for (int move = 0; move < 12; ++move) {
        // 1. Cloth falls and is shaken, or the body turns
        const bool turns = move % 3 == 2;
        Points d = noise(surfaces.vertex_count(), move % 3 == 0 ? 1 : 0.05, 100 * seed + move);
        if (!turns) d.row(1).array() -= 0.5;
        const Vec3 axis(draw(seed, 8, move), 0.2, draw(seed, 9, move));
        Eigen::Affine3d pose = scene.pose;
        if (turns) pose = Eigen::AngleAxisd(0.5 * draw(seed, 7, move), axis.normalized()) * pose;
        d.rightCols(bodies) = (pose * surfaces.rest - scene.x).rightCols(bodies);
        if (!turns) d.rightCols(bodies).setZero();

        // 2. As far as is safe; a body that is stopped on its way has no pose, and goes back
        candidates.detect(scene.x, d, 0.005);
        const double a = safe_step(candidates, scene.x, d);
        limited += a < 1;
        if (turns && a < 1) continue;
        scene.x += a * d;
        scene.pose = pose;
        turned += turns;
        for (const Stencil<3>& t : surfaces.triangles)
          if (t[0] < 36) {
            ASSERT_GT(least_of(body, scene, t, 16), 0) << body.name << seed << ' ' << move;
          }
      }
    }
    EXPECT_GT(limited, 6) << body.name;
  }
  EXPECT_GT(turned, 2);
}

// The slip of cloth on a body that turns is measured from the body's surface, not from its centre.
TEST(RoundContact, WhatMeetsMovesWithTheBody) {
  for (const Body& body : kBodies)
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Scene scene = scene_of(body, seed);
      Candidates candidates(scene.surfaces);
      candidates.detect(scene.x, Points::Zero(3, scene.x.cols()), 10);
      const Eigen::Affine3d motion = random_pose(seed + 100);
      Points displacement = noise(static_cast<int>(scene.x.cols()), 1, seed);
      displacement.rightCols(scene.x.cols() - 36) =
          (motion * scene.x - scene.x).rightCols(scene.x.cols() - 36);
      int count = 0;
      for (const ContactPair& pair : candidates.pairs()) {
        if (pair.frame < 0 && pair.kind != PairKind::point_plane) continue;
        const Quad at = corners(scene.x, pair.vertices);
        const Closest closest = closest_of(pair, at);
        Vec3 cloth = Vec3::Zero(), moved = Vec3::Zero();  // the nearest point of cloth
        for (int k = 0; k < 4; ++k) {
          if (pair.vertices[k] >= 36) continue;
          cloth += std::abs(closest.weight[k]) * at.col(k);
          moved += std::abs(closest.weight[k]) * displacement.col(pair.vertices[k]);
        }
        const double to_cloth = pair.round_a ? -1 : 1;
        const Vec3 on_body = cloth - to_cloth * closest.distance * closest.normal;
        const Vec3 expected = to_cloth * (moved - (motion * on_body - on_body));
        const Vec3 found = meeting_of(pair, closest, scene.x).between(displacement);
        EXPECT_LE((found - expected).norm(), 1e-11) << body.name;
        ++count;
      }
      EXPECT_GE(count, 36);
    }
}

TEST(RoundContact, FlatTrianglesOnLargeBallsLeaveTheLoadToVertices) {
  for (const double radius : {0.01, 1.0, 100.0}) {
    Surfaces surfaces;
    surfaces.add(flat_sheet(3, radius + 0.005), kHalf, {});
    surfaces.add_ball(radius, kHalf, {.body = true, .friction = 0});
    Candidates candidates(surfaces);
    candidates.detect(surfaces.rest, Points::Zero(3, surfaces.vertex_count()), 1);
    for (const ContactPair& pair : candidates.pairs()) {
      if (pair.inset == 0) continue;
      const double depth = 0.5 / (8 * radius);  // of a chord as long as a diagonal, which is √½ m
      const double expected = pair.round_a ? std::clamp(depth / (2 * kHalf), 1e-3, 1.0) : 1;
      EXPECT_NEAR(pair.weight, expected, 1e-12) << radius;
    }
  }
}

// --- how long a point stays above a plane -------------------------------------------------------------

/// The least height on the way from one to the other until a time, as the plane's side is at the start.
double least_height(const Quad& start, const Quad& end, double until) {
  double least = kInfinity, side = 0;
  for (int k = 0; k <= 2000; ++k) {
    const Quad x = start + until * k / 2000 * (end - start);
    const Vec3 normal = (x.col(2) - x.col(1)).cross(x.col(3) - x.col(1)).normalized();
    const double height = normal.dot(x.col(0) - x.col(1));
    if (k == 0) side = height < 0 ? -1 : 1;
    least = std::min(least, side * height);
  }
  return least;
}

TEST(RoundContact, APointStaysAboveAPlaneThatTurns) {
  int hits = 0, tight = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Quad start, end;
    start.rightCols<3>() = 10 * Mat3::Identity();
    start.col(1).setZero();
    const Eigen::Affine3d first = random_pose(seed),
                          turn(Eigen::AngleAxisd(
                              0.8 * draw(seed, 3, 0),
                              Vec3(draw(seed, 4, 0), draw(seed, 4, 1), draw(seed, 4, 2)).normalized()));
    start.col(0) << 30 * draw(seed, 5, 0), 30 * draw(seed, 5, 1), 2 * draw(seed, 5, 2) + 2.01;
    start = first * start;
    end = turn * start;
    end.col(0) = start.col(0) + 3 * Vec3(draw(seed, 6, 0), draw(seed, 6, 1), draw(seed, 6, 2));
    const double initial = closest_points(PairKind::point_plane, start).distance;
    const double time = time_of_impact(PairKind::point_plane, start, end);
    EXPECT_GE(least_height(start, end, time), 0.1 * initial * (1 - 1e-9)) << seed;
    if (time == 1) continue;
    ++hits;
    tight += least_height(start, end, time) < 0.15 * initial;
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(tight, 0.95 * hits);
}

}  // namespace
}  // namespace muslin

// Searches over whole surfaces, and over the start of a scene.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

#include "muslin/audit/bodies.h"
#include "muslin/audit/gap.h"
#include "muslin/audit/solids.h"
#include "muslin/audit/start.h"
#include "muslin/audit/surface.h"
#include "muslin/audit/triangles.h"
#include "muslin/audit/verdict.h"
#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/check.h"
#include "muslin/core/random.h"
#include "muslin/geometry/sheet.h"
#include "muslin/io/scene_json.h"

namespace muslin {
namespace {

/// A square metre of points² vertices in the plane of x and z, at a height.
Mesh flat_sheet(int points, double height = 0) {
  return make_sheet({points, points}, Vec3(0, height, 0), Vec3::UnitX(), Vec3::UnitZ(),
                    Diagonals::alternating);
}

/// Both meshes, the second's vertices behind the first's.
Mesh together(const Mesh& first, const Mesh& second) {
  Mesh both = first;
  both.positions.conservativeResize(3, first.vertex_count() + second.vertex_count());
  both.positions.rightCols(second.vertex_count()) = second.positions;
  for (const auto& [a, b, c] : second.triangles)
    both.triangles.push_back({a + first.vertex_count(), b + first.vertex_count(), c + first.vertex_count()});
  return both;
}

Surface surface_of(const Mesh& mesh) { return make_surface(mesh.vertex_count(), mesh.triangles); }

/// A sheet of which every vertex is anywhere within `size` of its place.
Mesh shaken_sheet(int points, double size, std::uint64_t seed) {
  Mesh mesh = flat_sheet(points);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    for (int axis = 0; axis < 3; ++axis)
      mesh.positions(axis, v) += size * (2 * random_unit(seed, v, axis) - 1);
  return mesh;
}

TEST(AuditSurface, FlatSheetsAreCleanHoweverTheyLie) {
  Mesh mesh = flat_sheet(30);
  const Surface surface = surface_of(mesh);
  for (const Vec3& normal : {Vec3(0, 1, 0), Vec3(0.3, 1, 0.2), Vec3(-1, 0.1, 3)}) {
    const Vec3 axis = Vec3::UnitY().cross(normal);
    const double angle = std::atan2(axis.norm(), normal.y());
    const Mat3 turn =
        axis.isZero(0) ? Mat3(Mat3::Identity()) : Eigen::AngleAxisd(angle, axis.normalized()).matrix();
    const Points x = (turn * mesh.positions).colwise() + Vec3(100, -7, 0.3);
    EXPECT_TRUE(intersecting_pairs(surface, x).empty());
    EXPECT_TRUE(find_gaps(surface, x, 0.1).empty()) << "neighbours do not face each other";
  }
}

TEST(AuditSurface, PairsAreThoseOfAllPairs) {
  for (const double size : {0.1, 0.5}) {
    const Mesh mesh = shaken_sheet(12, size, 1);
    const int count = static_cast<int>(mesh.triangles.size());
    std::vector<std::pair<int, int>> expected;
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b)
        if (triangles_meet(mesh.positions, mesh.triangles[a], mesh.triangles[b])) expected.emplace_back(a, b);
    EXPECT_GT(expected.size(), 10u);
    EXPECT_EQ(intersecting_pairs(surface_of(mesh), mesh.positions), expected);
  }
}

TEST(AuditSurface, GapsAreThoseOfAllPairs) {
  const Mesh mesh = together(shaken_sheet(8, 0.1, 1), shaken_sheet(7, 0.2, 2));
  const Surface surface = surface_of(mesh);
  const Points& x = mesh.positions;
  Scalars kept_at = Scalars::Constant(mesh.vertex_count(), 0.01);
  kept_at.head(64).setConstant(0.03);
  kept_at[70] = 0;
  for (const double within : {0.06, 0.0}) {  // the same of all, or by what they keep
    std::size_t expected = 0;
    const auto count = [&](const ElementGap& gap, const std::vector<int>& first,
                           const std::vector<int>& second) {
      const bool one_piece = (first[0] < 64) == (second[0] < 64);
      const double kept = within > 0 ? within : kept_at(first).minCoeff() + kept_at(second).minCoeff();
      expected += gap.distance < kept && (gap.facing || !one_piece);
    };
    for (int v = 0; v < mesh.vertex_count(); ++v)
      for (const auto& [a, b, c] : mesh.triangles)
        if (v != a && v != b && v != c)
          count(vertex_triangle_gap(x.col(v), x.col(a), x.col(b), x.col(c)), {v}, {a, b, c});
    for (const auto& [a, b] : surface.edges)
      for (const auto& [c, d] : surface.edges)
        if (std::pair(a, b) < std::pair(c, d) && a != c && a != d && b != c && b != d)
          count(edge_edge_gap(x.col(a), x.col(b), x.col(c), x.col(d)), {a, b}, {c, d});
    EXPECT_GT(expected, 20u);
    EXPECT_EQ((within > 0 ? find_gaps(surface, x, within) : find_gaps(surface, x, kept_at)).size(), expected);
  }
}

TEST(AuditSurface, TheLeastGapOfTwoSheetsIsTheirDistance) {
  const Mesh mesh = together(flat_sheet(5, 0), flat_sheet(8, 0.01));
  const auto gaps = find_gaps(surface_of(mesh), mesh.positions, 0.02);
  ASSERT_FALSE(gaps.empty());
  for (const ElementPair& gap : gaps) EXPECT_GE(gap.distance, 0.01);
  EXPECT_EQ(gaps[0].distance, 0.01);
  EXPECT_EQ(gaps[0].place.y(), 0.005);
  EXPECT_TRUE(find_gaps(surface_of(mesh), mesh.positions, 0.01).empty());
}

TEST(AuditSurface, ALayerThatPassedThroughIsSeenThoughNoFrameIntersects) {
  Mesh mesh = together(flat_sheet(6, 0), flat_sheet(9, 0.02));
  const Surface surface = surface_of(mesh);
  const Points above = mesh.positions;
  Points below = above, slid = above;
  below.rightCols(81).row(1).setConstant(-0.03);
  slid.rightCols(81).row(0).array() += 0.05;
  EXPECT_TRUE(intersecting_pairs(surface, above).empty());
  EXPECT_TRUE(intersecting_pairs(surface, below).empty());
  const auto crossings = find_crossings(surface, above, below);
  const auto of_vertices = std::count_if(crossings.begin(), crossings.end(), [](const ElementPair& pair) {
    return pair.kind == PairOf::vertex_triangle;
  });
  EXPECT_GE(of_vertices, 36 + 81) << "every vertex of either";
  EXPECT_EQ(crossings[0].distance, 0.03);
  EXPECT_TRUE(find_crossings(surface, above, slid).empty());

  // All fall, turn and stretch together: nobody passes.
  const Mat3 change =
      Eigen::AngleAxisd(1.2, Vec3(1, 2, 3).normalized()).toRotationMatrix() * Vec3(1, 1.3, 0.9).asDiagonal();
  const Points fallen = (change * above).colwise() + Vec3(0, -0.5, 0);
  EXPECT_TRUE(find_crossings(surface, above, fallen).empty());
}

/// Verdicts that hold these crossings alone.
std::vector<Verdict> crossed(const std::vector<std::vector<Crossing>>& frames) {
  std::vector<Verdict> run;
  for (const std::vector<Crossing>& crossings : frames) run.emplace_back().crossings = crossings;
  return run;
}

TEST(AuditSurface, CrossingsAreDoubtedWhereTheOrderIsRightAtTheEnd) {
  const Mesh mesh = together(flat_sheet(6, 0), flat_sheet(9, 0.02));
  const Surface surface = surface_of(mesh);
  const Points above = mesh.positions;
  Points below = above;
  below.rightCols(81).row(1).setConstant(-0.03);
  const std::vector<Crossing> down = find_crossings(surface, above, below),
                              up = find_crossings(surface, below, above);
  ASSERT_FALSE(down.empty());

  std::vector<Verdict> stays = crossed({{}, down, {}});
  doubt_crossings(surface, below, stays);
  EXPECT_EQ(stays[1].crossings.size(), down.size());
  EXPECT_FALSE(stays[1].clean());

  std::vector<Verdict> returns = crossed({{}, down, up});
  doubt_crossings(surface, above, returns);
  EXPECT_TRUE(returns[1].clean() && returns[2].clean());
  EXPECT_EQ(returns[1].doubted.size(), down.size());
  EXPECT_EQ(returns[2].doubted.size(), up.size());

  Points gone = below;  // of two pieces: that they are apart by now undoes nothing
  gone.rightCols(81).row(0).array() += 10;
  std::vector<Verdict> leaves = crossed({{}, down, {}});
  doubt_crossings(surface, gone, leaves);
  EXPECT_EQ(leaves[1].crossings.size(), down.size());
}

TEST(AuditSurface, ASheetThatTurnsOverTurnsAndOneThatFallsDoesNot) {
  Mesh mesh = together(flat_sheet(6, 0), flat_sheet(9, 0.02));
  const Surface surface = surface_of(mesh);
  const Points above = mesh.positions;
  Points fallen = above, flipped = above;
  fallen.rightCols(81).row(1).setConstant(-0.03);
  const Vec3 middle = above.rightCols(81).rowwise().mean();
  for (int v = 36; v < 117; ++v) {
    const Vec3 from_middle = above.col(v) - middle;
    flipped.col(v) = middle + Vec3(-from_middle.x(), -0.05, from_middle.z());  // turned about z, and below
  }
  for (const Crossing& crossing : find_crossings(surface, above, fallen)) EXPECT_FALSE(crossing.turned);
  const auto crossings = find_crossings(surface, above, flipped);
  ASSERT_FALSE(crossings.empty());
  EXPECT_TRUE(std::any_of(crossings.begin(), crossings.end(), [](const Crossing& c) { return c.turned; }));
}

TEST(AuditSurface, CrossedEdgesPass) {
  // Two crossed slips of two triangles each, whose corners are far from each other's.
  Points before(3, 8);
  before << -1, 1, 1, -1, -0.1, 0.1, 0.1, -0.1,  //
      0.1, 0.1, 0.1, 0.1, 0, 0, 0, 0,            //
      -0.1, -0.1, 0.1, 0.1, -1, -1, 1, 1;
  const Surface surface = make_surface(8, {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}});
  Points after = before;
  after.leftCols(4).row(1).setConstant(-0.1);
  const auto crossings = find_crossings(surface, before, after);
  ASSERT_FALSE(crossings.empty());
  for (const ElementPair& pair : crossings) EXPECT_EQ(pair.kind, PairOf::edge_edge);
}

TEST(AuditSurface, NeighboursThatTwistAndTurnDoNotPass) {
  // Opposite sides of a cell twist past each other 2 cm apart, while the cloth turns by 105 degrees.
  Points before(3, 6);
  before << 0, 0, 0.02, 0.02, -1, 1,  //
      0, 0, -0.0005, 0.0005, 0, 0,    //
      0, 0.02, 0, 0.02, 0.01, 0.01;
  const Surface surface = make_surface(6, {{0, 1, 4}, {2, 3, 5}});
  Points after = before;
  after.row(1) *= -1;
  after = Eigen::AngleAxisd(1.83, Vec3::UnitZ()).toRotationMatrix() * after;
  EXPECT_TRUE(find_crossings(surface, before, after).empty());
}

// However a sheet folds, only the passage through a point counts.
TEST(AuditProof, PassagesThroughAPointAreCounted) {
  const Mesh mesh = flat_sheet(9, 0);
  const Surface surface = surface_of(mesh);
  const Passages passages(surface);
  const Points flat = mesh.positions;
  const Vec3 middle = flat.rowwise().mean();
  const double width = flat.row(0).maxCoeff() - flat.row(0).minCoeff();
  const auto count = [&](const Points& before, const Points& after, const Vec3& p, const Vec3& q) {
    return passages.count({before, after, Points(3, 0)}, 0, p, q);
  };
  Points waves = flat;  // of any height, its border where it was
  for (int v = 0; v < waves.cols(); ++v) {
    const Vec3 aside = flat.col(v) - middle;
    const double inner = (1 - std::pow(2 * aside.x() / width, 2)) * (1 - std::pow(2 * aside.z() / width, 2));
    waves(1, v) += width * inner * std::cos(9 * aside.x() / width);
  }
  const Vec3 up = 0.1 * width * Vec3::UnitY(), high = 3 * width * Vec3::UnitY();
  EXPECT_EQ(*count(flat, flat, middle + up, middle - up), -*count(flat, flat, middle - up, middle + up));
  EXPECT_EQ(std::abs(*count(flat, flat, middle + up, middle - up)), 1) << "the point passes";
  EXPECT_EQ(std::abs(*count(flat, waves, middle + up, middle + up)), 1) << "the sheet does";
  EXPECT_EQ(count(flat, waves, middle - up, middle - up), 0);
  EXPECT_EQ(count(flat, Points(waves.colwise() + 5 * up), middle + up, middle + 6 * up),
            count(flat, waves, middle + up, middle + up))
      << "together";
  EXPECT_EQ(count(flat, flat, middle + high, middle - high), std::nullopt)
      << "the border is too near for that";
  const Vec3 corner = flat.col(0);
  EXPECT_EQ(count(flat, flat, corner + 3 * up, corner - 3 * up), std::nullopt);
}

TEST(AuditProof, WhatMeetsNothingGoesOnOrFalls) {
  const Vec3 fall(0, -0.01, 0);
  const auto deflection = [&](const Vec3& earlier, const Vec3& before, const Vec3& after) {
    const Points b = before, a = after;
    return Interval{b, a, earlier, fall}.deflection(0);
  };
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.2, -0.01, 0}), 0, 1e-15) << "falls";
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}), 0, 1e-15) << "is carried";
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0}), 0.1, 1e-15) << "is stopped";
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.2, 0.02, 0}), 0.02, 1e-15);
}

// Round a thin board it is far, be the way ever so oblique; round a ball hardly farther than through it.
TEST(AuditProof, TheWayRoundIsNoLongerThanTheShortest) {
  Collider board;
  board.shape = Shape::box;
  board.size = Vec3(1, 0.01, 1);
  const auto round = [](const Collider& collider, const Vec3& from, const Vec3& to) {
    const Points p = from, q = to;
    return vertices_through({collider}, {0, 0, p, q}).at(0).way_round;
  };
  const double straight = 2 * std::hypot(0.5, 0.1);  // over the middle of a side
  for (const double x : {0.0, 0.05, 0.1}) {
    const double way = round(board, {-x, 0.1, 0}, {x, -0.1, 0});
    EXPECT_LE(way, straight);
    EXPECT_GT(way, 0.7 * straight);
  }
  Collider ball;
  ball.radius = 1;
  const double half_circle = std::acos(-1.0);
  EXPECT_LE(round(ball, {-1.000001, 0, 0}, {1.000001, 0, 0}), half_circle);
  EXPECT_GT(round(ball, {-1.000001, 0, 0}, {1.000001, 0, 0}), 2.5);
}

TEST(AuditSolids, DepthIsTheWayOut) {
  const auto depth = [](Shape shape, const Vec3& p) {
    Collider collider;
    collider.shape = shape;
    collider.center = Vec3(1, 0, 0);
    collider.radius = 0.5;
    collider.length = 2;
    collider.size = Vec3(1, 2, 3);
    collider.motion.keyframes = {{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(0, 10, 0), Vec3(0, 0, 90)}};
    const double still = depth_inside(collider, pose_at(collider, 0), p + Vec3(1, 0, 0));
    EXPECT_NEAR(depth_inside(collider, pose_at(collider, 1), Vec3(1 - p.y(), 10 + p.x(), p.z())), still,
                1e-14)
        << "moved and turned";
    return still;
  };
  EXPECT_NEAR(depth(Shape::sphere, {0.3, 0, 0.4}), 0, 1e-15);
  EXPECT_NEAR(depth(Shape::sphere, {0, 0.1, 0}), 0.4, 1e-15);
  EXPECT_NEAR(depth(Shape::plane, {5, -0.25, 5}), 0.25, 1e-15);
  EXPECT_NEAR(depth(Shape::box, {0.4, 0.7, 0}), 0.1, 1e-15);
  EXPECT_LT(depth(Shape::box, {0, 1.1, 0}), 0);
  EXPECT_NEAR(depth(Shape::capsule, {0.3, 1, 0}), 0.2, 1e-15);
  EXPECT_NEAR(depth(Shape::capsule, {0, 1.25, 0}), 0.25, 1e-15);
  EXPECT_NEAR(depth(Shape::cylinder, {0.3, 0, 0}), 0.2, 1e-15);
  EXPECT_NEAR(depth(Shape::cylinder, {0, 0.75, 0}), 0.25, 1e-15);
}

TEST(AuditSolids, WhatHasNoInsideHoldsNobody) {
  Collider plane;
  plane.shape = Shape::plane;
  const Points below = Vec3(0, -1, 0);
  EXPECT_EQ(vertices_inside({plane}, {Pose()}, below).size(), 1u);
  EXPECT_TRUE(vertices_inside({plane}, {Pose()}, -1e-10 * Vec3::UnitY()).empty()) << "rounding";
  Collider off = plane, both_sides = plane;
  off.enabled = false;
  both_sides.friction_law = FrictionLaw::cs184;
  EXPECT_TRUE(vertices_inside({off, both_sides}, {Pose(), Pose()}, below).empty());
}

TEST(AuditSolids, TrianglesAreCutBetweenTheirVertices) {
  const std::vector<Stencil<3>> one{{0, 1, 2}};
  const auto cut = [&](const Collider& collider, const Vec3& shift) {
    Points corners(3, 3);
    corners << -1, 1, 0,  //
        0, 0, 0,          //
        -1, -1, 2;
    const Points moved = corners.colwise() + shift;
    EXPECT_TRUE(vertices_inside({collider}, {pose_at(collider, 0)}, moved).empty());
    return triangles_cutting({collider}, {pose_at(collider, 0)}, moved, one);
  };
  Collider ball;
  ball.radius = 0.1;
  ASSERT_EQ(cut(ball, {0.2, 0.04, -0.3}).size(), 1u);
  EXPECT_NEAR(cut(ball, {0.2, 0.04, -0.3})[0].depth, 0.06, 1e-12) << "the middle of the ball is 4 cm below";
  EXPECT_LT((cut(ball, {0.2, 0.04, -0.3})[0].place - Vec3(0, 0.04, 0)).norm(), 1e-5);
  EXPECT_TRUE(cut(ball, {0.2, 0.1, -0.3}).empty()) << "rests on it";
  EXPECT_NEAR(cut(ball, {0, 0, 1.05})[0].depth, 0.05, 1e-8) << "by its side";
  EXPECT_TRUE(cut(ball, {0, 0, 1.1}).empty());

  Collider pole;
  pole.shape = Shape::cylinder;
  pole.radius = 0.05;
  pole.length = 3;
  EXPECT_NEAR(cut(pole, {0, 0, 0})[0].depth, 0.05, 1e-8) << "goes through it";
  EXPECT_TRUE(cut(pole, {3, 0, 0}).empty());
  pole.shape = Shape::capsule;
  EXPECT_NEAR(cut(pole, {0, 0, 0})[0].depth, 0.05, 1e-8);
  Collider box;
  box.shape = Shape::box;
  box.size = Vec3(0.2, 0.02, 0.2);
  EXPECT_NEAR(cut(box, {0, 0.004, 0})[0].depth, 0.006, 1e-8) << "cuts it flat";
  EXPECT_TRUE(cut(box, {0, 0.0101, 0}).empty());
}

// Against the deepest of many places on every triangle.
TEST(AuditSolids, TrianglesThatCutAreThoseWithAPlaceInside) {
  constexpr int kTriangles = 1000, kPlaces = 30;
  Collider solid;
  solid.center = {0.2, -0.1, 0.3};
  solid.axis = {1, 2, -1};
  solid.radius = 0.3;
  solid.length = 0.8;
  solid.size = {0.4, 0.7, 0.5};
  for (const Shape shape : {Shape::sphere, Shape::box, Shape::capsule, Shape::cylinder}) {
    solid.shape = shape;
    Points x(3, 3 * kTriangles);
    std::vector<Stencil<3>> triangles;
    for (int t = 0; t < kTriangles; ++t) {
      triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      for (int v = 3 * t; v < 3 * t + 3; ++v)
        for (int axis = 0; axis < 3; ++axis)
          x(axis, v) = solid.center[axis] + 2 * random_unit(static_cast<int>(shape), v, axis) - 1;
    }
    const Pose pose = pose_at(solid, 0);
    std::vector<double> depth(kTriangles, -1);
    for (const CutTriangle& cut : triangles_cutting({solid}, {pose}, x, triangles))
      depth[cut.triangle] = cut.depth;
    int cutting = 0, clear = 0;
    for (int t = 0; t < kTriangles; ++t) {
      double deepest = -1, of_corners = -1;
      for (int i = 0; i <= kPlaces; ++i)
        for (int j = 0; j <= kPlaces - i; ++j) {
          const Vec3 place =
              (i * x.col(3 * t) + j * x.col(3 * t + 1) + (kPlaces - i - j) * x.col(3 * t + 2)) / kPlaces;
          deepest = std::max(deepest, depth_inside(solid, pose, place));
        }
      for (int k = 0; k < 3; ++k)
        of_corners = std::max(of_corners, depth_inside(solid, pose, x.col(3 * t + k)));
      if (of_corners > kSurfaceRounding) continue;  // counts as a vertex inside
      if (deepest > kSurfaceRounding) {
        EXPECT_GE(depth[t], deepest - 1e-12) << static_cast<int>(shape) << ", triangle " << t;
        ++cutting;
      } else if (deepest < -0.05) {  // places are nearer to each other than that
        EXPECT_EQ(depth[t], -1) << static_cast<int>(shape) << ", triangle " << t;
        ++clear;
      }
    }
    EXPECT_GT(cutting, 100) << static_cast<int>(shape);
    EXPECT_GT(clear, 100) << static_cast<int>(shape);
  }
}

TEST(AuditSolids, WhatPassesThroughBetweenTwoFramesIsSeen) {
  Collider board;
  board.shape = Shape::box;
  board.size = Vec3(1, 0.01, 1);
  board.motion.keyframes = {{0, Vec3::Zero(), Vec3::Zero()}, {1, Vec3(0, 5, 0), Vec3::Zero()}};
  const auto passes = [](const Collider& collider, double begin, double end, const Vec3& from,
                         const Vec3& to) {
    const Points p = from, q = to;
    return !vertices_through({collider}, {begin, end, p, q}).empty();
  };
  EXPECT_TRUE(passes(board, 0, 0, {0, 0.2, 0}, {0.1, -0.3, 0.1}));
  EXPECT_FALSE(passes(board, 0, 0, {0, 0.2, 0}, {0.1, 0.1, 0.1}));
  EXPECT_FALSE(passes(board, 0, 0, {0.3, 0.2, 0}, {0.9, -0.2, 0})) << "beside it";
  EXPECT_FALSE(passes(board, 0, 0, {0.4, 0.1, 0}, {0.501, -0.004, 0})) << "round its edge";
  EXPECT_TRUE(passes(board, 0, 1, {0, 1, 0}, {0, 1, 0})) << "it is the board that moves";
  EXPECT_FALSE(passes(board, 0, 1, {0, 1, 0}, {0, 6, 0})) << "both move";

  Collider ball;
  EXPECT_TRUE(passes(ball, 0, 0, {-1, 0.3, 0}, {1, 0.3, 0}));
  EXPECT_FALSE(passes(ball, 0, 0, {-0.1, 0.5, 0}, {0.1, 0.5, 0})) << "slides along it";
  Collider pole;
  pole.shape = Shape::capsule;
  pole.radius = 0.02;
  EXPECT_TRUE(passes(pole, 0, 0, {-1, 0.3, 0.01}, {1, 0.3, 0.01}));
  pole.shape = Shape::cylinder;
  EXPECT_TRUE(passes(pole, 0, 0, {-1, 0.3, 0.01}, {1, 0.3, 0.01}));
  EXPECT_TRUE(passes(pole, 0, 0, {0, 1, 0}, {0, -1, 0})) << "lengthwise";
  pole.enabled = false;
  EXPECT_FALSE(passes(pole, 0, 0, {0, 1, 0}, {0, -1, 0}));
}

// --- the start -----------------------------------------------------------------------------------------

Model model_of(const std::string& cloths, const std::string& rest = "") {
  return build_model(parse_scene(R"({"cloths": [)" + cloths + "]" + rest + "}", "scene", "."));
}

std::vector<StartTrouble> troubles_of(const Model& model) {
  return find_start_troubles(model, initial_state(model).positions, false);
}

std::vector<std::string> check(const Model& model, bool keeps_out = false) {
  return check_start(model, initial_state(model).positions, keeps_out);
}

const char* const kFlat = R"({"name": "flat", "grid": {"points": [9, 9], "size": [1, 1]}})";
/// A slip that stands through the middle of the flat one.
const char* const kStanding =
    R"({"name": "slip", "grid": {"points": [2, 2], "size": [0.2, 0.2], "origin": [0.4, -0.1, 0.55], "v": [0, 1, 0]}})";

TEST(AuditStart, AnOrdinaryClothHasNoTrouble) {
  EXPECT_TRUE(troubles_of(model_of(kFlat)).empty());
  EXPECT_TRUE(check(model_of(kFlat, R"(, "self_collision": {"enabled": true})")).empty());
}

TEST(AuditStart, IntersectionsAreNamedAndStopARunWithSelfCollision) {
  const std::string both = std::string(kFlat) + "," + kStanding;
  const Model model = model_of(both);
  const auto troubles = troubles_of(model);
  ASSERT_FALSE(troubles.empty());
  EXPECT_EQ(troubles[0].kind, StartTrouble::intersecting);
  EXPECT_EQ(troubles[0].triangles.size(), 2u * static_cast<unsigned>(troubles[0].count));
  EXPECT_NE(troubles[0].named[0].find(
                "of \"flat\" and triangle 129 (vertices 81, 84, 83) of \"slip\" at (0.45, 0, 0.55)"),
            std::string::npos)
      << troubles[0].named[0];
  EXPECT_NE(check(model)[0].find("intersect"), std::string::npos);
  EXPECT_THROW(check(model_of(both, R"(, "self_collision": {"enabled": true})")), Error);
}

TEST(AuditStart, BordersThatTouchAreNotedOnly) {
  const std::string beside = R"({"grid": {"points": [9, 9], "size": [1, 1], "origin": [1, 0, 0]}})";
  const Model model = model_of(std::string(kFlat) + "," + beside, R"(, "self_collision": {"enabled": true})");
  const auto troubles = troubles_of(model);
  ASSERT_GE(troubles.size(), 2u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::borders_meet);
  EXPECT_EQ(troubles[1].kind, StartTrouble::same_place);
  EXPECT_EQ(troubles[1].count, 9);
  EXPECT_EQ(troubles[1].named.size(), 9u);
  EXPECT_FALSE(check(model).empty());
}

TEST(AuditStart, ASolverThatKeepsClothOutWantsItOutside) {
  const auto with_ball = [](double height) {  // the middle of a triangle above it
    return model_of(R"({"grid": {"points": [9, 9], "size": [1, 1]}})",
                    R"(, "colliders": [{"name": "ball", "radius": 0.02, "margin": 0, "center": [0.52, )" +
                        std::to_string(height) + ", 0.54]}]");
  };
  EXPECT_TRUE(check(with_ball(-0.03), true).empty());
  ASSERT_EQ(check(with_ball(-0.01)).size(), 1u) << "others only say so";
  EXPECT_NE(check(with_ball(-0.01))[0].find("10 mm inside \"ball\""), std::string::npos);
  EXPECT_THROW(check(with_ball(-0.01), true), Error);
  const Model inside = model_of(kFlat, R"(, "colliders": [{"name": "ball", "radius": 3}])");
  EXPECT_FALSE(check(inside).empty());
  EXPECT_THROW(check(inside, true), Error);
  const Model lies = model_of(kFlat, R"(, "colliders": [{"shape": "plane", "name": "floor"}])");
  EXPECT_NO_THROW(check(lies));
  EXPECT_THROW(check(lies, true), Error);
  for (const char* height : {"-1e-10", "1e-10"}) {  // rounding of a place, on either side
    const std::string floor = R"(, "colliders": [{"shape": "plane", "name": "floor", "center": [0, )";
    const Model nearly = model_of(kFlat, floor + height + ", 0]}]");
    EXPECT_NO_THROW(check(nearly)) << height;
    EXPECT_THROW(check(nearly, true), Error) << height;
  }
  EXPECT_NO_THROW(check(
      model_of(kFlat, R"(, "colliders": [{"shape": "plane", "name": "floor", "center": [0, -1e-8, 0]}])"),
      true));
}

TEST(AuditStart, WhatIsNearerThanItIsKeptIsNamed) {
  const std::string floor =
      R"(, "colliders": [{"shape": "plane", "name": "floor", "margin": 0.01, "center": [0, )";
  EXPECT_TRUE(check(model_of(kFlat, floor + "-0.02, 0]}]"), true).empty());
  const auto warnings = check(model_of(kFlat, floor + "-0.005, 0]}]"), true);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("5 mm from \"floor\""), std::string::npos) << warnings[0];
  const std::string above =
      R"(, {"name": "above", "grid": {"points": [9, 9], "size": [1, 1], "origin": [0, 0.003, 0]}})";
  const auto near = [&](const char* distance) {
    return check(model_of(kFlat + above, R"(, "self_collision": {"enabled": true, "distance": )" +
                                             std::string(distance) + "}"));
  };
  EXPECT_TRUE(near("0.002").empty());
  EXPECT_EQ(near("0.004").size(), 1u);
}

TEST(AuditStart, SoManyOfAKindAreNamedAsAreAskedFor) {
  const Model model = model_of(kFlat, R"(, "colliders": [{"name": "ball", "radius": 3}])");
  const auto troubles = find_start_troubles(model, model.start, false, 3);
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_EQ(troubles[0].count, 81);
  EXPECT_EQ(troubles[0].named.size(), 3u);
  EXPECT_NE(check(model)[0].find(" more, which `muslin check` lists"), std::string::npos);
}

/// What check_room says, or "".
std::string room_trouble(const Model& model, const State& state) {
  try {
    check_room(model, state);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(AuditRoom, ARunThatGoesOnIsJudgedWhereItIs) {
  const Model model =
      model_of(kFlat, R"(, "colliders": [{"name": "ball", "radius": 0.2, "center": [0.5, 1, 0.5],
      "motion": {"keyframes": [{"time": 0}, {"time": 2, "offset": [0, -2, 0]}]}}])");
  State state = initial_state(model);
  EXPECT_EQ(room_trouble(model, state), "");
  state.time = 1;
  const std::string words = room_trouble(model, state);
  EXPECT_EQ(words.find("colliders: cannot keep apart what intersects already; at 1 s there would be "), 0u)
      << words;
  EXPECT_NE(words.find("inside \"ball\"; and "), std::string::npos) << words;
  EXPECT_EQ(words.find("muslin check"), std::string::npos) << "which knows nothing of a running scene";
  state.positions.row(1).array() += 0.5;
  EXPECT_EQ(room_trouble(model, state), "");
  state.positions(0, 4) = NAN;
  EXPECT_NE(room_trouble(model, state).find("no numbers"), std::string::npos);
}

TEST(AuditRoom, OnlyWhatIsRefusedIsLookedFor) {
  const std::string both = std::string(kFlat) + "," + kStanding;
  const Model apart = model_of(both), together = model_of(both, R"(, "self_collision": {"enabled": true})");
  EXPECT_EQ(room_trouble(apart, initial_state(apart)), "") << "what intersects may, without self_collision";
  EXPECT_EQ(room_trouble(together, initial_state(together)).find("self_collision: cannot keep apart"), 0u);
}

TEST(AuditRoom, BodiesAreWhereClothHoldsThemUp) {
  for (const char* shape : {"sphere", "box", "plane"}) {
    const Model model =
        model_of(kFlat, R"(, "colliders": [{"name": "press", "shape": ")" + std::string(shape) +
                            R"(", "radius": 0.2, "center": [0.5, 0, 0.5]}])");
    State state = initial_state(model);
    EXPECT_NE(room_trouble(model, state).find("\"press\""), std::string::npos) << shape;
    state.blocked = SceneSurfaces(model).bodies_at(poses_at(model.colliders, 0), 0);
    state.blocked.row(1).array() -= 0.6;
    EXPECT_EQ(room_trouble(model, state), "") << shape;
  }
}

TEST(AuditStart, PinsInsideBodiesAreToldFromOtherVertices) {
  const std::string pinned =
      R"({"grid": {"points": [3, 3], "size": [1, 1]}, "pins": [{"grid": [[0, 0], [-1, -1]]}]})";
  const Model model = model_of(pinned, R"(, "colliders": [{"center": [0, 0, 0], "radius": 0.6}])");
  const auto troubles = troubles_of(model);
  ASSERT_EQ(troubles.size(), 2u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::held_inside);
  EXPECT_EQ(troubles[0].count, 1);
  EXPECT_EQ(troubles[0].named[0], "vertex 0 in \"collider\"");
  EXPECT_EQ(troubles[1].kind, StartTrouble::inside);
  EXPECT_EQ(troubles[1].count, 2) << "vertices 1 and 3";
}

TEST(AuditStart, ClothNearerThanItsThickness) {
  const std::string above =
      R"({"name": "above", "grid": {"points": [9, 9], "size": [1, 1], "origin": [0, 0.004, 0]}, "fabric": {"thickness": 0.005}})";
  const std::string thin = std::string(kFlat) + "," + above;
  EXPECT_TRUE(troubles_of(model_of(thin)).empty()) << "half of 0.32 mm and half of 5 mm are less than 4 mm";
  const auto troubles = troubles_of(
      model_of(above + R"(,{"grid": {"points": [9, 9], "size": [1, 1]}, "fabric": {"thickness": 0.005}})"));
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::too_near);
}

TEST(AuditStart, ClothThickerThanItsEdgesAreLongIsJudgedByItsEdges) {
  const auto troubles = troubles_of(model_of(
      R"({"name": "below", "grid": {"points": [21, 21], "size": [0.02, 0.02]}, "fabric": {"thickness": 0.02}},)"
      R"({"grid": {"points": [21, 21], "size": [0.02, 0.02], "origin": [0, 0.0005, 0]}})"));
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::too_near);
  EXPECT_NE(troubles[0].what.find("nearer than an edge is long"), std::string::npos) << troubles[0].what;
  EXPECT_GT(troubles[0].count, 441) << "every vertex is near the other sheet";
  EXPECT_LT(troubles[0].count, 100 * 441);
}

/// A mesh as the only cloth of a scene.
Model model_of(const Mesh& mesh) {
  Scene scene;
  scene.cloths.emplace_back();
  scene.cloths[0].mesh = MeshFile{};
  scene.cloths[0].mesh->mesh = std::make_shared<const Mesh>(mesh);
  return build_model(scene);
}

TEST(AuditStart, ShapesThatAreNoSurface) {
  Mesh mesh = flat_sheet(3);
  std::swap(mesh.triangles[2][0], mesh.triangles[2][1]);
  auto troubles = troubles_of(model_of(mesh));
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::turned_over);

  mesh = flat_sheet(3);
  mesh.uv.clear();
  mesh.positions.conservativeResize(3, 11);
  mesh.positions.col(9) = Vec3(1.5, 1, 1);
  mesh.positions.col(10) = Vec3(1.5, 1, 1.2);
  mesh.triangles.push_back({8, 9, 10});  // hangs on the corner alone
  troubles = troubles_of(model_of(mesh));
  ASSERT_EQ(troubles.size(), 1u);
  EXPECT_EQ(troubles[0].kind, StartTrouble::pinched);
  EXPECT_NE(troubles[0].named[0].find("vertex 8"), std::string::npos);

  mesh = flat_sheet(2);
  mesh.positions.col(1) =
      mesh.positions.col(0) + 0.5 * (mesh.positions.col(3) - mesh.positions.col(0)) + Vec3(0, 1e-9, 0);
  troubles = troubles_of(model_of(mesh));
  ASSERT_FALSE(troubles.empty());
  EXPECT_EQ(troubles[0].kind, StartTrouble::thin);
}

}  // namespace
}  // namespace muslin

#include "muslin/repair/untangle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "muslin/audit/bodies.h"
#include "muslin/audit/solids.h"
#include "muslin/audit/start.h"
#include "muslin/audit/surface.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/geometry/sheet.h"
#include "muslin/geometry/solids.h"
#include "muslin/model/measure.h"
#include "muslin/repair/contour.h"
#include "muslin/simulation.h"

// Every count of pairs here is the exact one of audit/, which tests/oracle holds to CGAL's.

namespace muslin {
namespace {

using Height = std::function<double(double x, double z)>;

Cloth cloth_of(const std::string& name, const Mesh& mesh) {
  Cloth cloth;
  cloth.name = name;
  cloth.mesh = MeshFile{};
  cloth.mesh->mesh = std::make_shared<const Mesh>(mesh);
  return cloth;
}

/// A square sheet about the origin, n × n vertices, that lies at a height [m].
Cloth sheet(const std::string& name, int n, double size, const Height& height) {
  Mesh mesh =
      make_sheet({n, n}, {-size / 2, 0, -size / 2}, {size, 0, 0}, {0, 0, size}, Diagonals::alternating);
  for (int v = 0; v < mesh.vertex_count(); ++v)
    mesh.positions(1, v) = height(mesh.positions(0, v), mesh.positions(2, v));
  return cloth_of(name, mesh);
}

Scene scene_of(const std::vector<Cloth>& cloths) {
  Scene scene;
  scene.cloths = cloths;
  scene.self_collision.enabled = true;
  scene.solver.family = "quasi_newton";
  return scene;
}

/// A bell of one sheet stands through another: one closed line.
Scene bump(int n = 33) {
  return scene_of({sheet("flat", n, 0.4, [](double, double) { return 0.0; }),
                   sheet("bell", n + 2, 0.42, [](double x, double z) {
                     return 0.08 * std::exp(-(x * x + z * z) / 0.005) - 0.03;
                   })});
}

/// A wavy sheet in a flat one: a closed line for every hill.
Scene waves() {
  return scene_of({sheet("flat", 33, 0.4, [](double, double) { return 0.0; }),
                   sheet("waves", 33, 0.4, [](double x, double z) {
                     return 0.003 + 0.01 * std::sin(60 * x) * std::sin(50 * z);
                   })});
}

/// Two sheets that cross from border to border: nothing says which half of either is on the wrong side.
Scene cross() {
  return scene_of({sheet("flat", 17, 0.4, [](double, double) { return 0.0; }),
                   sheet("steep", 16, 0.4, [](double x, double z) { return 0.3 * x + 0.01 * z; })});
}

using Place = std::function<Vec3(double turn, double height)>;

/// A tube, its rows of `around` vertices closed.
Cloth tube(const std::string& name, int around, int rows, const Place& place) {
  Mesh mesh;
  mesh.positions.resize(3, around * rows);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < around; ++i)
      mesh.positions.col(j * around + i) = place(2 * M_PI * i / around, 0.4 * j / (rows - 1));
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i < around; ++i) {
      const int a = j * around + i, b = j * around + (i + 1) % around, c = a + around, d = b + around;
      mesh.triangles.push_back({a, c, d});
      mesh.triangles.push_back({a, d, b});
    }
  return cloth_of(name, mesh);
}

/// Two bulging tubes side by side, each in the other.
Scene barrels() {
  const auto barrel = [](double shift) {
    return [shift](double turn, double height) {
      const double radius = 0.1 + 0.035 * std::sin(M_PI * height / 0.4);
      return Vec3(radius * std::cos(turn) + 2.3 * shift, height + 0.13 * shift, radius * std::sin(turn));
    };
  };
  return scene_of({tube("left", 48, 31, barrel(0)), tube("right", 45, 31, barrel(0.1))});
}

/// A body of a garment whose front was pushed in and out through the back.
Scene dent() {
  return scene_of({tube("body", 64, 41, [](double turn, double height) {
    Vec3 p(0.1 * std::cos(turn), height, 0.1 * std::sin(turn));
    const double far2 = p.x() * p.x() + (height - 0.2) * (height - 0.2);
    if (p.z() > 0) p.z() -= 0.25 * std::exp(-far2 / 0.0032);
    return p;
  })});
}

/// A wrapped dress: cut open and wound round by more than a turn; the outer end's upper corner goes through
/// the layer below.
Scene wrapped() {
  Mesh mesh = make_sheet({81, 41}, {0, 0, 0}, {1, 0, 0}, {0, 0.4, 0}, Diagonals::alternating);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    const double along = mesh.positions(0, v), height = mesh.positions(1, v), turn = along * (2 * M_PI + 1);
    const double far2 = (1 - along) * (1 - along) / 2 + (0.4 - height) * (0.4 - height);
    const double radius = 0.1 + 0.012 * turn / (2 * M_PI) - 0.03 * std::exp(-far2 / 0.0072);
    mesh.positions.col(v) = Vec3(radius * std::cos(turn), height, radius * std::sin(turn));
  }
  return scene_of({cloth_of("dress", mesh)});
}

constexpr double kBody = 0.15;  // [m] radius of the ball below

/// A tube of a radius [m] about a ball, which is a primitive or a closed mesh.
Scene tight(double radius, Shape shape) {
  Scene scene = scene_of({tube("dress", 32, 24, [radius](double turn, double height) {
    return Vec3(radius * std::cos(turn), height / 2 - 0.1, radius * std::sin(turn));
  })});
  Collider body;
  body.name = "body";
  body.shape = shape;
  body.radius = kBody;
  if (shape == Shape::mesh) {
    body.mesh = MeshFile{};
    body.mesh->mesh = std::make_shared<const Mesh>(make_sphere(kBody, 0.015));
  }
  scene.colliders = {body};
  return scene;
}

int count_pairs(const Model& model, const Points& positions) {
  return static_cast<int>(
      intersecting_pairs(make_surface(model.vertex_count(), model.triangles), positions).size());
}

class Untangle : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

TEST_F(Untangle, ClosedLinesVanish) {
  const std::pair<const char*, Scene> scenes[] = {
      {"bump", bump()}, {"waves", waves()}, {"barrels", barrels()}, {"dent", dent()}, {"wrapped", wrapped()}};
  for (const auto& [name, scene] : scenes) {
    SCOPED_TRACE(name);
    const Model model = build_model(scene);
    const Untangled repaired = untangle(model, model.start);
    EXPECT_GT(repaired.pairs_before, 60);
    EXPECT_EQ(repaired.pairs_before, count_pairs(model, model.start));
    EXPECT_EQ(repaired.pairs, 0);
    EXPECT_EQ(count_pairs(model, repaired.positions), 0);
    EXPECT_GT(repaired.iterations, 1);
    EXPECT_LT(repaired.largest_move, 0.05);
    EXPECT_EQ(repaired.largest_move, (repaired.positions - model.start).colwise().norm().maxCoeff());
    EXPECT_LT(edge_strain(model, repaired.positions).max, 0.25);
  }
}

TEST_F(Untangle, CrossingFromBorderToBorderIsLeftAndNeverGrows) {
  const Model model = build_model(cross());
  const Untangled repaired = untangle(model, model.start);
  EXPECT_GT(repaired.pairs, 0);
  EXPECT_LE(repaired.pairs, repaired.pairs_before);
  EXPECT_EQ(count_pairs(model, repaired.positions), repaired.pairs);
  // Begun anew where it ended, it goes on from that number, downwards.
  const Untangled again = untangle(model, repaired.positions);
  EXPECT_EQ(again.pairs_before, repaired.pairs);
  EXPECT_LE(again.pairs, again.pairs_before);
}

TEST_F(Untangle, WhatIsCleanStaysToTheBit) {
  Scene scene = scene_of({sheet("lower", 9, 0.4, [](double, double) { return 0.0; }),
                          sheet("upper", 9, 0.4, [](double x, double) { return 1e-5 + x * x; })});
  Collider floor;
  floor.shape = Shape::plane;
  floor.center = {0, -1e-7, 0};
  scene.colliders = {floor};
  const Model model = build_model(scene);
  const Untangled repaired = untangle(model, model.start);
  EXPECT_EQ(repaired.positions, model.start);
  EXPECT_EQ(repaired.pairs_before, 0);
  EXPECT_EQ(repaired.iterations, 0);
  EXPECT_EQ(repaired.largest_move, 0);
}

TEST_F(Untangle, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const Scene& scene : {waves(), tight(0.142, Shape::mesh)}) {
    const Model model = build_model(scene);
    set_threads(1);
    const Untangled one = untangle(model, model.start);
    set_threads(3);
    const Untangled three = untangle(model, model.start);
    EXPECT_EQ(one.positions, three.positions);
    EXPECT_EQ(one.iterations, three.iterations);
  }
}

TEST_F(Untangle, PinsStay) {
  Scene scene = bump();
  Pin pin;
  const int top = 17 * 35 + 17;  // of the bell
  pin.vertices = {0, 5, top};
  scene.cloths[1].pins = {pin};
  const Model model = build_model(scene);
  ASSERT_EQ(model.script.pins.size(), 3u);
  const Untangled repaired = untangle(model, model.start);
  for (const PinnedVertex& held : model.script.pins)
    EXPECT_EQ(repaired.positions.col(held.vertex), model.start.col(held.vertex));
  EXPECT_EQ(repaired.pairs, 0) << "the other sheet gives way";
}

TEST_F(Untangle, ClothLeavesColliders) {
  for (const Shape shape : {Shape::sphere, Shape::box, Shape::plane}) {
    Scene scene = scene_of({sheet(
        "sheet", 33, 0.4, [](double x, double z) { return 0.01 * std::cos(20 * x) * std::cos(31 * z); })});
    Collider body;
    body.name = "body";
    body.shape = shape;
    body.radius = 0.05;
    body.size = {0.1, 0.08, 0.09};
    body.center = {0.003, shape == Shape::plane ? 0 : -0.03, 0.002};
    body.margin = 0.001;
    if (shape != Shape::plane) body.rotation = {10, 20, 30};
    scene.colliders = {body};
    const Model model = build_model(scene);
    ASSERT_FALSE(vertices_inside(model.colliders, poses_at(model.colliders, 0), model.start).empty());
    const Untangled repaired = untangle(model, model.start);
    EXPECT_GT(repaired.pairs_before, 20);
    EXPECT_EQ(repaired.pairs, 0) << static_cast<int>(shape);
    EXPECT_TRUE(repaired.in_bodies.empty());
    const Pose pose = pose_at(model.colliders[0], 0);
    for (int v = 0; v < model.vertex_count(); ++v)
      ASSERT_LE(depth_inside(model.colliders[0], pose, repaired.positions.col(v)), -0.001 + 1e-9) << v;
    EXPECT_EQ(count_pairs(model, repaired.positions), 0);
  }
}

TEST_F(Untangle, ATightTubeLeavesItsBody) {
  for (const Shape shape : {Shape::sphere, Shape::mesh})
    for (const double narrow : {0.001, 0.003, 0.008}) {
      SCOPED_TRACE(std::to_string(narrow) + (shape == Shape::mesh ? " mesh" : " sphere"));
      const Model model = build_model(tight(kBody - narrow, shape));
      const Untangled repaired = untangle(model, model.start);
      EXPECT_GT(repaired.pairs_before, 100);
      EXPECT_EQ(repaired.pairs, 0);
      EXPECT_TRUE(repaired.in_bodies.empty());
      EXPECT_EQ(
          intersecting_pairs(surface_with_bodies(model), places_with_bodies(model, repaired.positions, 0)),
          IndexPairs());
      for (int v = 0; v < model.vertex_count(); ++v) EXPECT_GT(repaired.positions.col(v).norm(), kBody) << v;
      // Facets of the ball stick out, and so do sides of the tube's polygons from its circles, by 0.7 mm.
      constexpr double kFacets = 0.004;
      EXPECT_LT(repaired.largest_move, narrow + kFacets);
      EXPECT_LT(edge_strain(model, repaired.positions).max, (kBody + kFacets) / (kBody - narrow) - 1);
      EXPECT_NO_THROW(check_start(model, repaired.positions, /*keeps_out=*/true));
    }
}

TEST_F(Untangle, WhatIsHeldInABodyLeavesTheRestAlone) {
  Scene scene = tight(kBody - 0.003, Shape::mesh);
  constexpr int kInside = 12 * 32 + 5;  // on the ball's equator
  Pin pin;
  pin.vertices = {kInside};
  scene.cloths[0].pins = {pin};
  const Model model = build_model(scene);
  const int held = model.script.pins[0].vertex;
  const Untangled repaired = untangle(model, model.start);
  EXPECT_EQ(repaired.positions.col(held), model.start.col(held));
  EXPECT_TRUE(repaired.in_bodies.empty()) << "what has the held vertex does not meet the body";
  EXPECT_LT(repaired.pairs, repaired.pairs_before / 4);
  EXPECT_NO_THROW(check_start(model, repaired.positions, /*keeps_out=*/true));
}

TEST_F(Untangle, WhatIsWhollyInsideAMeshStays) {
  Scene scene = tight(kBody - 0.003, Shape::mesh);
  scene.cloths.push_back(sheet("lining", 5, 0.05, [](double, double) { return 0.0; }));
  const Model model = build_model(scene);
  const ClothRange& lining = model.cloths[1];
  const Untangled repaired = untangle(model, model.start);
  EXPECT_EQ(repaired.pairs, 0);
  EXPECT_EQ(repaired.positions.middleCols(lining.first_vertex, lining.vertex_count),
            model.start.middleCols(lining.first_vertex, lining.vertex_count));
}

TEST_F(Untangle, WhatOnlyTouchesASolidIsLifted) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {21, 21};
  cloth.grid->size = {0.4, 0.4};
  cloth.grid->origin = {0, 0.5, 0};
  Scene scene = scene_of({cloth});
  Collider slope;  // which the border x = 0 touches, by rounding without a pair of triangles that meet
  slope.shape = Shape::plane;
  slope.center = {0, 0.5, 0};
  slope.axis = {0.1, 1, 0};
  scene.colliders = {slope};
  const Model model = build_model(scene);
  ASSERT_TRUE(vertices_inside(model.colliders, poses_at(model.colliders, 0), model.start).empty());
  EXPECT_THROW(check_start(model, model.start, /*keeps_out=*/true), Error);
  const Untangled repaired = untangle(model, model.start);
  EXPECT_EQ(repaired.pairs_before, 0);
  EXPECT_GT(repaired.largest_move, 0);
  EXPECT_LT(repaired.largest_move, 0.001);
  EXPECT_NO_THROW(check_start(model, repaired.positions, /*keeps_out=*/true));
}

TEST_F(Untangle, TellsOfPairsThatNeverGrow) {
  for (const Scene& scene : {barrels(), cross(), dent(), tight(0.14, Shape::mesh)}) {
    const Model model = build_model(scene);
    int left = 1 << 30;
    const Untangled repaired = untangle(model, model.start, [&](const Untangled& now) {
      EXPECT_LE(now.pairs, left);
      left = now.pairs;
    });
    EXPECT_LE(repaired.pairs, left);
    EXPECT_LE(repaired.pairs, repaired.pairs_before);
  }
}

TEST_F(Untangle, ClothThatIsThickForItsMeshIsMovedNoFarther) {
  Scene scene = bump();
  for (Cloth& cloth : scene.cloths) cloth.fabric.thickness = 0.2;  // edges of 13 mm
  const Model model = build_model(scene);
  const Untangled repaired = untangle(model, model.start);
  EXPECT_EQ(repaired.pairs, 0);
  EXPECT_LT(repaired.largest_move, 0.05);
  EXPECT_LT(edge_strain(model, repaired.positions).max, 0.25);
}

TEST_F(Untangle, ClothThatIsHeldInAColliderStays) {
  Scene scene = scene_of({sheet("sheet", 9, 0.4, [](double, double) { return 0.0; })});
  Collider ball;
  ball.radius = 0.12;
  ball.center = {0, -0.02, 0};
  scene.colliders = {ball};
  Pin all;
  for (int v = 0; v < 81; ++v) all.vertices.push_back(v);
  scene.cloths[0].pins = {all};
  const Model model = build_model(scene);
  const Untangled repaired = untangle(model, model.start);
  EXPECT_EQ(repaired.positions, model.start);
  EXPECT_EQ(repaired.pairs, repaired.pairs_before);
  EXPECT_TRUE(repaired.in_bodies.empty()) << "nothing of it can move";
}

TEST_F(Untangle, TheRepairedStartRunsWithoutIntersections) {
  Simulation simulation(bump(17));
  ASSERT_GT(count_pairs(simulation.model(), simulation.state().positions), 40);
  const Points repaired = untangle(simulation.model(), simulation.state().positions).positions;
  simulation.start_from(repaired);
  EXPECT_EQ(simulation.state().positions, repaired);
  for (int frame = 0; frame < 10; ++frame) {
    EXPECT_NE(simulation.step().step.status, Status::diverged);
    ASSERT_EQ(count_pairs(simulation.model(), simulation.state().positions), 0) << frame;
  }
  simulation.edit(bump(17));
  simulation.reset();
  EXPECT_EQ(simulation.state().positions, repaired);
}

// The pull is −∂length/∂x of the line of intersection: of a wedge that stands through a plane by its ridge's
// end, compared with the length itself, by differences.
TEST_F(Untangle, PullsShortenTheLine) {
  // A pyramid over a triangle, its top through the triangle 0 1 2: the line is a triangle, bent at three
  // edges.
  Points x(3, 7);
  x << -1, 1, 0.1, -0.30, 0.32, 0.02, 0.05,    //
      0, 0.05, -0.02, -0.5, -0.55, -0.6, 0.2,  //
      -1, -0.9, 1.2, -0.30, -0.25, 0.28, 0.01;
  const std::vector<Stencil<3>> triangles{{0, 1, 2}, {3, 4, 6}, {4, 5, 6}, {5, 3, 6}};
  const Topology topology = build_topology(7, triangles, "test");
  const std::vector<std::pair<int, int>> pairs{{0, 1}, {0, 2}, {0, 3}};
  const auto bends = [&](const Points& at) {
    std::vector<Vec3> places;
    for (const Piercing& p : find_piercings(at, triangles, topology, pairs))
      places.push_back(at.col(p.edge[0]) * p.edge_weight[0] + at.col(p.edge[1]) * p.edge_weight[1]);
    return places;
  };
  const auto length = [&](const Points& at) {
    const std::vector<Vec3> p = bends(at);
    return (p[0] - p[1]).norm() + (p[1] - p[2]).norm() + (p[2] - p[0]).norm();
  };
  const std::vector<Piercing> piercings = find_piercings(x, triangles, topology, pairs);
  ASSERT_EQ(piercings.size(), 3u);
  Vec3 sum = Vec3::Zero();
  for (const Piercing& p : piercings) {
    const Vec3 on_triangle = x.col(p.triangle[0]) * p.triangle_weight[0] +
                             x.col(p.triangle[1]) * p.triangle_weight[1] +
                             x.col(p.triangle[2]) * p.triangle_weight[2];
    const Vec3 on_edge = x.col(p.edge[0]) * p.edge_weight[0] + x.col(p.edge[1]) * p.edge_weight[1];
    EXPECT_LT((on_triangle - on_edge).norm(), 1e-15);
    sum += p.pull;
  }
  // All pulls together: the pyramid moves as a whole. Every pull holds its own rate and ten means, so their
  // sum is eleven times the rate of the whole.
  for (int axis = 0; axis < 3; ++axis) {
    constexpr double kShift = 1e-6;
    Points there = x, back = x;
    there.row(axis).tail(4).array() += kShift;
    back.row(axis).tail(4).array() -= kShift;
    const double rate = (length(there) - length(back)) / (2 * kShift);
    EXPECT_NEAR(sum[axis], -11 * rate, 1e-7) << axis;
  }
}

// Two sheets cross, and the rows about the crossing are pinned: no repair can part them.
TEST(UntanglePins, SaysAtOnceWhatTheyHoldTogether) {
  Scene scene = scene_of({sheet("flat", 17, 0.4, [](double, double) { return 0.0; }),
                          sheet("steep", 17, 0.4, [](double x, double) { return 0.5 * x + 0.003; })});
  const auto run = [&] {
    const Model model = build_model(scene);
    return untangle(model, model.start);
  };
  EXPECT_TRUE(run().pinned.empty());
  for (Cloth& cloth : scene.cloths)
    cloth.pins.emplace_back().box = BoxRegion{{-0.06, -0.1, -1}, {0.06, 0.1, 1}};
  const Untangled held = run();
  ASSERT_FALSE(held.pinned.empty());
  EXPECT_LE(held.iterations, 20);
  EXPECT_GT(held.pairs, 0);
  const Model model = build_model(scene);
  for (const auto& [a, b] : held.pinned) {
    ASSERT_GE(b, 0);
    for (const int t : {a, b})
      for (const int v : model.triangles[t])
        EXPECT_EQ(held.positions.col(v), model.start.col(v)) << "which pins hold";
  }
}

}  // namespace
}  // namespace muslin

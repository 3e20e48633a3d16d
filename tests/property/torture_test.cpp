#include <gtest/gtest.h>

#include "muslin/core/parallel.h"
#include "muslin/geometry/solids.h"
#include "torture/judged_run.h"
#include "torture/scenes.h"

// Scenes that break contact, small and for as many frames as it takes them to touch; bench_torture runs them
// to their ends.

namespace muslin {
namespace {

struct Case {
  std::string scene;
  int cells, frames;
};

/// The same scene with its round and flat solids as meshes: of these the judge sees every triangle, of solids
/// only which vertices of cloth are inside.
Scene with_meshes(Scene scene, double edge) {
  for (Collider& collider : scene.colliders) {
    if (collider.shape == Shape::mesh || collider.shape == Shape::plane) continue;
    const Mesh mesh = collider.shape == Shape::sphere ? make_sphere(collider.radius, edge)
                      : collider.shape == Shape::capsule
                          ? make_capsule(collider.radius, collider.length, edge)
                      : collider.shape == Shape::box ? make_box(collider.size)
                                                     : make_cylinder(collider.radius, collider.length, edge);
    collider.shape = Shape::mesh;
    collider.mesh = MeshFile();
    collider.mesh->mesh = std::make_shared<const Mesh>(mesh);
  }
  return scene;
}

class Torture : public ::testing::TestWithParam<std::tuple<Case, int>> {
 protected:
  void TearDown() override { set_threads(0); }
};

TEST_P(Torture, NothingPassesThrough) {
  const auto& [what, seed] = GetParam();
  const Scene scene = torture::make(what.scene, {what.cells, static_cast<std::uint64_t>(seed)});
  torture::JudgedRun run(seed == 3 ? with_meshes(scene, 0.03) : scene);
  int contacts = 0;
  double strain = 0;
  for (int frame = 1; frame <= what.frames; ++frame) {
    const auto [report, verdict] = run.step();
    ASSERT_EQ(verdict.meeting.size(), 0u) << "frame " << frame;
    ASSERT_EQ(verdict.crossings.size(), 0u) << "frame " << frame;
    ASSERT_EQ(verdict.inside.size(), 0u) << "frame " << frame;
    ASSERT_EQ(verdict.cut.size(), 0u) << "frame " << frame;
    ASSERT_EQ(verdict.through.size(), 0u) << "frame " << frame;
    ASSERT_GT(report.step.least_distance, 0) << "frame " << frame;
    ASSERT_NE(report.step.status, Status::diverged) << "frame " << frame;
    contacts = std::max(contacts, report.step.contacts);
    strain = std::max(strain, report.strain_p99);
  }
  EXPECT_GT(contacts, 50);
  EXPECT_LT(strain, 0.4);  // no rubber: the twisted tube has most
}

INSTANTIATE_TEST_SUITE_P(
    Small, Torture,
    ::testing::Combine(::testing::Values(Case{"twist", 24, 60}, Case{"stack", 8, 24}, Case{"needles", 16, 24},
                                         Case{"rotating_sphere", 16, 24}, Case{"card_shuffle", 6, 24},
                                         Case{"tablecloth_pull", 12, 24}, Case{"funnel", 12, 60},
                                         Case{"reef_knot", 12, 138}, Case{"fold", 16, 30}),
                       ::testing::Values(1, 2, 3)));

TEST_F(Torture, ContactIsTheSameBitByBitOnAnyNumberOfThreads) {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3, 7}) {
    set_threads(threads);
    Simulation simulation(torture::make("stack", {10, 1}));
    FrameReport report;
    for (int frame = 0; frame < 12; ++frame) report = simulation.step();
    EXPECT_GT(report.step.contacts, 0);
    if (threads == 1) first = report.hash;
    EXPECT_EQ(report.hash, first) << threads;
  }
}

// A ball that is pressed into the floor through a cloth.
TEST(Squeeze, ABallStopsWhereClothCannotGiveWayAndGoesOnAfterwards) {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid{.points = {13, 13}, .size = {0.4, 0.4}, .origin = {-0.2, 0.01, -0.2}};
  scene.cloths = {cloth};
  scene.self_collision = {.enabled = true, .distance = 0.009};
  Collider ball, floor;
  ball.name = "ball";
  ball.center = {0, 0.23, 0};
  ball.radius = 0.2;
  ball.motion.keyframes = {{0}, {0.2, {0, -0.1, 0}}, {0.4}};
  floor.shape = Shape::plane;
  scene.colliders = {floor, ball};
  Simulation simulation(scene);
  const Judge judge(simulation.model(), 0);
  double most = 0;
  for (int frame = 1; frame <= 24; ++frame) {
    const FrameReport report = simulation.step();
    most = std::max(most, report.step.blocked);
    if (report.step.blocked > 0) {
      EXPECT_EQ(report.step.blocked_collider, 1);
      EXPECT_TRUE(report.step.jammed);
      EXPECT_EQ(report.step.status, Status::ok) << "the cloth is where it should be";
    }
    EXPECT_GT(report.step.least_distance, 0);
    const State& state = simulation.state();
    EXPECT_TRUE(judge.judge({state.time, state.positions, report.step.blocked == 0}).clean());
    EXPECT_GT(state.positions.row(1).minCoeff(), 0);
    const Vec3 short_of = placed_in(simulation.model(), state).poses[1].translation -
                          pose_at(scene.colliders[1], state.time).translation;
    EXPECT_NEAR((short_of - report.step.blocked * Vec3::UnitY()).norm(), 0, 1e-9) << "as pictures show it";
    // It would have to be 7 cm below the floor at 0.2 s; there is room for 3 cm without the cloth.
    if (frame == 12) {
      EXPECT_NEAR(report.step.blocked, 0.07, 0.009);
      EXPECT_FALSE(judge.judge({state.time, state.positions}).inside.empty()) << "where the script has it";
    }
  }
  EXPECT_GT(most, 0.06);
  EXPECT_EQ(simulation.state().blocked.size(), 0);
}

Pin every_vertex(int count) {
  Pin pin;
  for (int v = 0; v < count; ++v) pin.vertices.push_back(v);
  return pin;
}

/// A sheet of 1 m in a frame, of 21 × 21 vertices, and a ball that goes down into it.
Scene trampoline(double depth, double seconds) {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid{.points = {21, 21}, .size = {1, 1}, .origin = {-0.5, 0.5, -0.5}};
  cloth.pins.emplace_back().sides = {Side::u_min, Side::u_max, Side::v_min, Side::v_max};
  scene.cloths = {cloth};
  scene.self_collision.enabled = true;
  scene.damping = 0.5;
  Collider ball;
  ball.center = {0, 0.66, 0};
  ball.radius = 0.15;
  ball.motion.keyframes = {{0}, {seconds, {0, -depth, 0}}};
  scene.colliders = {ball};
  return scene;
}

// Cloth that pulls hard is pressed to a few per cent of its thickness, and gives way all the same.
TEST(Squeeze, TautClothThatGivesWayHoldsNoBallUp) {
  for (const auto& [depth, seconds] : {std::pair{0.25, 0.25}, std::pair{0.25, 1.0}, std::pair{0.5, 0.6}}) {
    Simulation simulation(trampoline(depth, seconds));
    const Judge judge(simulation.model(), 0);
    for (int frame = 1; frame <= 60 * seconds + 6; ++frame) {
      const FrameReport report = simulation.step();
      ASSERT_EQ(report.step.blocked, 0) << depth << " m, frame " << frame;
      ASSERT_EQ(report.step.status, Status::ok) << depth << " m, frame " << frame;
      ASSERT_TRUE(judge.judge({simulation.state().time, simulation.state().positions}).clean()) << frame;
    }
  }
}

// Pinned cloth cannot give way, and nothing of it moves by itself: it is in the way all the same.
TEST(Squeeze, ABallThatIsCarriedStopsAtPinnedCloth) {
  Scene scene = trampoline(0, 1);
  scene.cloths[0].pins = {every_vertex(441)};
  Simulation simulation(scene);
  FrameReport report;
  for (int frame = 1; frame <= 10; ++frame) {
    simulation.carry(0, {0, -0.04 * frame, 0});
    report = simulation.step();
  }
  EXPECT_NEAR(report.step.blocked, 0.39, 0.01) << "its mesh is a little larger than the ball";
  EXPECT_TRUE(report.step.jammed);
}

// What holds a body up is forgotten with the body: another one comes to where it belongs.
TEST(Squeeze, AnotherColliderIsNotWhereTheLastWasHeld) {
  Scene scene = trampoline(0, 1);
  Collider first, second;
  first.shape = second.shape = Shape::box;
  first.center = second.center = {0, 0.7, 0};
  first.size = second.size = {0.2, 0.2, 0.2};
  first.motion.keyframes = {{0}, {0.2, {0, -0.4, 0}}};
  second.center = {0, 1.2, 0};
  second.enabled = false;
  scene.colliders = {first, second};
  scene.cloths[0].pins = {every_vertex(441)};
  Simulation simulation(scene);
  FrameReport report;
  for (int frame = 1; frame <= 15; ++frame) report = simulation.step();
  EXPECT_GT(report.step.blocked, 0.2);
  std::swap(scene.colliders[0].enabled, scene.colliders[1].enabled);
  simulation.edit(scene);
  EXPECT_EQ(simulation.step().step.blocked, 0);
}

// The same for a second: what was squeezed longer must come free as well.
TEST(Squeeze, ABallThatIsHeldUpForLongLetsGo) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Scene scene;
    Cloth cloth;
    cloth.grid = Grid{.points = {13, 13}, .size = {0.4, 0.4}, .origin = {-0.2, 0.01, -0.2}};
    cloth.grid->jitter = 5e-5;
    scene.seed = seed;
    scene.cloths = {cloth};
    scene.self_collision = {.enabled = true, .distance = 0.009};
    Collider ball, floor;
    ball.center = {0, 0.23, 0};
    ball.radius = 0.2;
    ball.motion.keyframes = {{0}, {0.1, {0, -0.1, 0}}, {1.1, {0, -0.1, 0}}, {1.2}};
    floor.shape = Shape::plane;
    scene.colliders = {floor, ball};
    Simulation simulation(scene);
    double least = 1;
    for (int frame = 1; frame <= 75; ++frame) {
      const FrameReport report = simulation.step();
      least = std::min(least, report.step.least_distance);
      if (frame > 3 && frame < 67) {
        EXPECT_GT(report.step.blocked, 0.01) << frame;
      } else if (frame > 71) {
        EXPECT_EQ(report.step.blocked, 0) << frame;
      }
    }
    EXPECT_GT(least, 1e-6) << "cloth is not crushed";
    EXPECT_EQ(simulation.state().blocked.size(), 0);
    EXPECT_GT(simulation.step().step.least_distance, 0.004);
  }
}

// A pinned side that is led down through a box: the box stops it, and all of it.
TEST(Squeeze, PinsStopAtABox) {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid{.points = {9, 9}, .size = {0.3, 0.3}, .origin = {-0.15, 0.1, -0.15}};
  Pin pin;
  pin.sides = {Side::u_min};
  pin.motion.keyframes = {{0}, {0.4, {0, -0.3, 0}}};
  cloth.pins = {pin};
  scene.cloths = {cloth};
  Collider box;
  box.shape = Shape::box;
  box.size = {0.4, 0.1, 0.4};
  scene.colliders = {box};
  torture::JudgedRun run(scene);
  double most = 0;
  for (int frame = 1; frame <= 30; ++frame) {
    const auto [report, verdict] = run.step();
    EXPECT_TRUE(verdict.clean()) << frame;
    EXPECT_EQ(report.step.blocked_collider, -1);
    most = std::max(most, report.step.blocked);
  }
  EXPECT_NEAR(most, 0.25, 0.01);
  EXPECT_GT(run.state().positions.row(1).minCoeff(), 0.05 - 0.2) << "what hangs beside the box may";
}

// Cloth whose pins hold all of it is as little gone through.
TEST(Squeeze, ABallStopsAtPinnedCloth) {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid{.points = {7, 7}, .size = {0.3, 0.3}, .origin = {-0.15, 0, -0.15}};
  cloth.pins = {every_vertex(49)};
  scene.cloths = {cloth};
  Collider ball;
  ball.center = {0, -0.2, 0};
  ball.radius = 0.1;
  ball.motion.keyframes = {{0}, {0.3, {0, 0.4, 0}}};
  scene.colliders = {ball};
  Simulation simulation(scene);
  FrameReport report;
  for (int frame = 0; frame < 24; ++frame) report = simulation.step();
  EXPECT_NEAR(report.step.blocked, 0.3, 0.01);
  EXPECT_EQ(report.step.blocked_collider, 0);
}

}  // namespace
}  // namespace muslin

#include <gtest/gtest.h>

#include "muslin/core/parallel.h"
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

class Torture : public ::testing::TestWithParam<std::tuple<Case, int>> {
 protected:
  void TearDown() override { set_threads(0); }
};

TEST_P(Torture, NothingPassesThrough) {
  const auto& [what, seed] = GetParam();
  torture::JudgedRun run(torture::make(what.scene, {what.cells, static_cast<std::uint64_t>(seed)}));
  int contacts = 0;
  double strain = 0;
  for (int frame = 1; frame <= what.frames; ++frame) {
    const auto [report, verdict] = run.step();
    ASSERT_EQ(verdict.meeting.size(), 0u) << "frame " << frame;
    ASSERT_EQ(verdict.crossings.size(), 0u) << "frame " << frame;
    ASSERT_EQ(verdict.inside.size(), 0u) << "frame " << frame;
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
    most = std::max(most, report.step.held_up);
    if (report.step.held_up > 0) {
      EXPECT_EQ(report.step.held_up_collider, 1);
      EXPECT_EQ(report.step.status, Status::not_converged);
    }
    EXPECT_GT(report.step.least_distance, 0);
    const State& state = simulation.state();
    EXPECT_TRUE(judge.judge(state.time, state.positions, {}, report.step.held_up == 0).clean());
    EXPECT_GT(state.positions.row(1).minCoeff(), 0);
    // It would have to be 7 cm below the floor at 0.2 s; there is room for 3 cm without the cloth.
    if (frame == 12) {
      EXPECT_NEAR(report.step.held_up, 0.07, 0.009);
      EXPECT_FALSE(judge.judge(state.time, state.positions, {}).inside.empty()) << "where the script has it";
    }
  }
  EXPECT_GT(most, 0.06);
  EXPECT_EQ(simulation.state().held_up.size(), 0);
}

}  // namespace
}  // namespace muslin

#include <gtest/gtest.h>

#include <limits>

#include "muslin/audit/verdict.h"
#include "muslin/simulation.h"
#include "torture/scenes.h"

// Steps of quasi-Newton that Newton's method begins, and steps that are cut before they are made.

namespace muslin {
namespace {

/// A ball that comes down on a thin sheet, held by its border, at 6 m/s: 20 thicknesses in a frame.
Scene impact() {
  Scene scene;
  Cloth cloth;
  Grid grid;
  grid.points = {13, 13};
  grid.size = {0.4, 0.4};
  grid.origin = {-0.2, 0, -0.2};
  cloth.grid = grid;
  Pin pin;
  for (int i = 0; i < 13; ++i) pin.vertices.insert(pin.vertices.end(), {i, 156 + i});
  cloth.pins = {pin};
  scene.cloths = {cloth};
  scene.self_collision.enabled = true;
  scene.self_collision.distance = 0.005;
  Collider ball;
  ball.radius = 0.08;
  ball.center = {0, 0.25, 0};
  ball.motion.keyframes = {{0, Vec3::Zero(), Vec3::Zero()}, {0.04, {0, -0.24, 0}, Vec3::Zero()}};
  scene.colliders = {ball};
  return scene;
}

void expect_continues(const Scene& scene, const Simulation& saved, int frames) {
  const State state = saved.state();
  Simulation onwards(scene), untouched(scene);
  for (int f = 0; f < saved.frame(); ++f) onwards.step();
  ASSERT_EQ(hash(onwards.state()), hash(state));
  untouched.restore(state, saved.frame());
  for (int f = 0; f < frames; ++f) {
    onwards.step();
    untouched.step();
    EXPECT_EQ(hash(untouched.state()), hash(onwards.state())) << "frame " << f + 1 << " after it";
  }
}

TEST(HardSteps, ABallThatComesTooFastIsMetInShorterOnes) {
  const Scene scene = impact();
  Simulation simulation(scene);
  const Judge judge(simulation.model(), 0);
  int shortened = 0;
  for (int frame = 1; frame <= 6; ++frame) {
    const FrameReport report = simulation.step();
    shortened += report.step.shortened;
    EXPECT_EQ(report.step.status, Status::ok) << "frame " << frame;
    const State& state = simulation.state();
    EXPECT_TRUE(judge.judge({state.time, state.positions}).clean()) << "frame " << frame;
  }
  EXPECT_GT(shortened, 0);

  Scene whole = scene;
  whole.solver.quasi_newton.relative_motion = 1e6;
  Simulation other(whole);
  for (int frame = 1; frame <= 6; ++frame) EXPECT_EQ(other.step().step.shortened, 0);
}

TEST(HardSteps, ARunWhoseFirstStepWasCutContinuesFromItsState) {
  const Scene scene = impact();
  Simulation simulation(scene);
  do simulation.step();
  while (simulation.state().history.parts == 1 && simulation.frame() < 6);
  EXPECT_GT(simulation.state().history.parts, 1) << "a test of little use";
  expect_continues(scene, simulation, 3);
}

TEST(HardSteps, ARunThatTurnedToNewtonsMethodContinuesFromItsState) {
  Scene scene = torture::make("twist", {24, 1});
  scene.solver.quasi_newton.integrator = Integrator::euler;  // whose long steps are hard
  scene.solver.quasi_newton.substeps = 1;
  Simulation simulation(scene);
  do simulation.step();
  while (!simulation.state().history.starts_with_newton && simulation.frame() < 10);
  EXPECT_TRUE(simulation.state().history.starts_with_newton) << "a test of little use";
  expect_continues(scene, simulation, 3);
}

TEST(HardSteps, ABrokenStateIsSaidToBeBrokenWhereNothingIsMet) {
  for (const bool was_hard : {false, true}) {
    Scene scene = impact();
    scene.colliders.clear();
    scene.self_collision.enabled = false;
    Simulation simulation(scene);
    State state = simulation.state();
    state.velocities(1, 80) = std::numeric_limits<double>::quiet_NaN();
    state.history.starts_with_newton = was_hard;
    simulation.restore(state, 0);
    EXPECT_EQ(simulation.step().step.status, Status::diverged);
  }
}

}  // namespace
}  // namespace muslin

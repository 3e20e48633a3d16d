#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/contact/vertices/gap.h"
#include "muslin/core/parallel.h"
#include "muslin/model/measure.h"
#include "property/methods.h"

// What a person does to a running cloth, with every solver.

namespace muslin {
namespace {

class EveryHand : public testing::TestWithParam<TestedMethod> {
 protected:
  const TestedMethod& method() const { return GetParam(); }
  const SolverSettings& settings() const { return GetParam().settings; }
};
std::string method_name(const testing::TestParamInfo<TestedMethod>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Methods, EveryHand, testing::ValuesIn(tested_methods()), method_name);

constexpr int kCorner = 0, kMiddle = 31;  // of the sheet of 9 × 7 vertices

Vec3 place_of(const Simulation& simulation, int vertex) { return simulation.state().positions.col(vertex); }

// --- pull ------------------------------------------------------------------------------------------

TEST_P(EveryHand, PullsTheClothUpAndCarriesItsWeight) {
  Scene scene = sheet(settings());
  scene.damping = 4;
  Simulation simulation(scene);
  run(simulation, 2);
  const Vec3 target = place_of(simulation, kMiddle) + Vec3(0.1, 0.4, 0);
  simulation.pull(kMiddle, target);
  run(simulation, 150);

  const AnchorEnergy& anchors = simulation.controls().pulls;
  ASSERT_EQ(anchors.size(), 1);
  const double weight = simulation.model().mass.sum() * 9.81;
  const Vec3 stretch = target - place_of(simulation, kMiddle);
  EXPECT_NEAR(weight / anchors.stiffness[0], 0.02 * std::hypot(0.8, 0.6), 1e-12) << "2 % of the diagonal";
  // Exact for what keeps momentum and solves its steps; who shares corrections half and half, averages, or
  // stops early is somewhere near.
  const bool is_exact = method().momentum == Momentum::always || method().momentum == Momentum::converged;
  EXPECT_NEAR(stretch.y() * anchors.stiffness[0] / weight, 1, is_exact ? 0.06 : 1);
  EXPECT_LT(std::hypot(stretch.x(), stretch.z()), 0.005);

  // Let go of, it falls.
  simulation.release();
  const double before = center_of_mass(simulation.model(), simulation.state().positions).y();
  run(simulation, 20);
  EXPECT_LT(center_of_mass(simulation.model(), simulation.state().positions).y(), before - 0.2);
}

TEST_P(EveryHand, PullsTowardsAPlaceThatMoves) {
  Simulation simulation(sheet(settings()));
  Vec3 target = place_of(simulation, kMiddle);
  simulation.pull(kMiddle, target);
  for (int frame = 0; frame < 60; ++frame) {
    target += Vec3(0.01, 0, 0.005);
    simulation.pull(kMiddle, target);
    run(simulation, 1);
    EXPECT_LT((place_of(simulation, kMiddle) - target).norm(), 0.25) << "frame " << frame;
  }
  EXPECT_EQ(simulation.controls().pulls.size(), 1);
  EXPECT_GT(center_of_mass(simulation.model(), simulation.state().positions).x(), 0.2);
}

// --- hold and let go -------------------------------------------------------------------------------

TEST_P(EveryHand, HoldsAVertexBitForBit) {
  Simulation simulation(sheet(settings()));
  run(simulation, 3);
  EXPECT_FALSE(simulation.is_held(kCorner));
  simulation.hold(kCorner);
  EXPECT_TRUE(simulation.is_held(kCorner));
  const Vec3 held = place_of(simulation, kCorner);
  const double free_before = place_of(simulation, kMiddle).y();
  for (int frame = 0; frame < 10; ++frame) {
    run(simulation, 1);
    ASSERT_EQ(place_of(simulation, kCorner), held) << "frame " << frame;
    EXPECT_EQ(simulation.state().velocities.col(kCorner), Vec3::Zero());
  }
  EXPECT_LT(place_of(simulation, kMiddle).y(), free_before - 0.02);
}

TEST_P(EveryHand, LetsGoOfBothPinsIntoFreeFall) {
  Scene scene = sheet(settings());
  scene.cloths[0].pins = {pin_at({{0, 0}}), pin_at({{-1, 0}}, "xy")};
  if (method().momentum == Momentum::equal_masses) scene.cloths[0].vertex_mass = 1e-3;
  if (method().momentum == Momentum::converged) settle(scene.solver, 1e-13, 3000);
  if (scene.solver.family == "baraff_witkin") scene.solver.baraff_witkin.adaptive = false;
  Simulation simulation(scene);
  run(simulation, 10);
  simulation.let_go(0);
  simulation.let_go(8);
  EXPECT_FALSE(simulation.is_held(0) || simulation.is_held(8));
  const Scalars& mass = simulation.model().mass;
  const Vec3 start = center_of_mass(simulation.model(), simulation.state().positions);
  const Vec3 velocity = simulation.state().velocities * mass / mass.sum();
  const FrameReport first = simulation.step();
  EXPECT_FALSE(first.free_fall_error) << "no one knows where it would have fallen";
  run(simulation, 9);
  if (method().momentum == Momentum::never) return;
  const bool is_exact =
      scene.solver.family == "quasi_newton" && scene.solver.quasi_newton.integrator == Integrator::sdirk2;
  const double t = 10 * scene.frame_time, h = is_exact ? 0 : scene.frame_time / simulation.substeps();
  const Vec3 expected = start + velocity * t + scene.gravity * t * (t + h) / 2;
  const double away = (center_of_mass(simulation.model(), simulation.state().positions) - expected).norm();
  const bool cuts_steps = scene.solver.newton.adaptive;  // and falls as the shorter ones have it
  const double rounding = method().momentum == Momentum::in_float ? 1e-5 : 1e-10;
  EXPECT_LT(away, cuts_steps ? 9.81 * t * h / 2 : rounding);
}

// --- carry -----------------------------------------------------------------------------------------

TEST_P(EveryHand, CarriesABallIntoTheCloth) {
  Scene scene = sheet(settings());
  scene.gravity.setZero();
  Collider ball;
  ball.center = {0, -0.25, 0};
  ball.radius = 0.2;
  ball.motion.swing = {0.02, 0, 0};
  scene.colliders = {ball};
  Simulation simulation(scene);
  run(simulation, 1);
  const double before = place_of(simulation, kMiddle).y();
  for (int frame = 1; frame <= 20; ++frame) {
    simulation.carry(0, Vec3(0, 0.01 * frame, 0));
    run(simulation, 1);
    const Vec3 center =
        placed_in(simulation.model(), simulation.controls(), simulation.state()).poses[0].translation;
    EXPECT_NEAR(center.y(), -0.25 + 0.01 * frame, 1e-12);
    EXPECT_NEAR(center.x(), 0.02 * std::sin(2 * M_PI * simulation.state().time), 1e-12) << "its own motion";
    // Provot's limit comes after contact and draws vertices in again; the barrier of quasi_newton gives way
    // by some of the thickness.
    const double allowed = settings().explicit_.stretch_limit    ? 1e-3
                           : settings().family == "quasi_newton" ? simulation.model().half_thickness[0]
                                                                 : 1e-9;
    EXPECT_GT(measure_gaps(simulation.model(), simulation.controls(), simulation.state()).minCoeff(),
              -allowed)
        << "frame " << frame;
  }
  EXPECT_GT(place_of(simulation, kMiddle).y(), before + 0.13) << "the ball came 0.15 m above the sheet";
}

// --- edit ------------------------------------------------------------------------------------------

TEST_P(EveryHand, GoesOnWithAnotherSolverOnTheSameCloth) {
  Scene scene = busy_sheet(family("position"), {9, 7});
  Simulation simulation(scene);
  run(simulation, 5);
  simulation.hold(kMiddle);
  simulation.pull(62, {0.5, 0.2, 0.4});
  simulation.carry(0, {0, 0.01, 0});
  run(simulation, 5);
  const State before = simulation.state();
  scene.solver = settings();
  scene.wind.velocity = {0, 0, -1};
  simulation.edit(scene);
  EXPECT_EQ(simulation.state().positions, before.positions);
  EXPECT_EQ(simulation.state().velocities, before.velocities);
  EXPECT_EQ(simulation.state().time, before.time);
  EXPECT_EQ(simulation.state().step, before.step);
  EXPECT_EQ(simulation.frame(), 10);
  EXPECT_TRUE(simulation.is_held(kMiddle) && simulation.is_held(0)) << "by hand, and by the scene";
  EXPECT_EQ(simulation.controls().pulls.size(), 1);
  EXPECT_EQ(simulation.scene().solver.family, settings().family);
  const Model& model = simulation.model();
  const double fall = model.mass.sum() * 9.81 * 0.5;  // [J] for half a metre
  const double energy = kinetic_energy(model, before.velocities) +
                        elastic_energy(model.energies, before.positions) +
                        total_value(simulation.controls().pulls, before.positions) + fall;
  for (int frame = 0; frame < 30; ++frame) {
    const FrameReport report = simulation.step();
    ASSERT_NE(report.step.status, Status::diverged) << "frame " << frame;
    EXPECT_LT(report.kinetic_energy + report.elastic_energy, energy);
    EXPECT_EQ(place_of(simulation, kMiddle), Vec3(before.positions.col(kMiddle)));
  }
  EXPECT_NEAR(simulation.state().time, 40 * scene.frame_time, 1e-12);
}

// --- determinism -----------------------------------------------------------------------------------

std::uint64_t hash_by_hand(SolverSettings settings) {
  settings.newton.iterations = 2;
  settings.newton.halvings = 1;
  settings.implicit.iterations = settings.block_descent.iterations = settings.projective.iterations = 10;
  Scene scene = busy_sheet(settings, {55, 40});  // more than a chunk of every loop
  scene.frame_time = 1.0 / 500;
  Simulation simulation(scene);
  simulation.pull(700, {0.1, 0.2, 0});
  run(simulation, 1);
  simulation.hold(40);
  simulation.carry(0, {0, 0.02, 0.01});
  scene.cloths[0].acting.bend = false;
  simulation.edit(scene);
  run(simulation, 1);
  return hash(simulation.state());
}

class EveryHandInBulk : public EveryHand {
 protected:
  void TearDown() override { set_threads(0); }
};
INSTANTIATE_TEST_SUITE_P(Methods, EveryHandInBulk, testing::ValuesIn(tested_methods()), method_name);

TEST_P(EveryHandInBulk, GivesTheSameBitsOnAnyNumberOfThreads) {
  set_threads(1);
  const std::uint64_t alone = hash_by_hand(settings());
  for (const int threads : {2, 3}) {
    set_threads(threads);
    EXPECT_EQ(hash_by_hand(settings()), alone) << threads << " threads";
  }
}

}  // namespace
}  // namespace muslin

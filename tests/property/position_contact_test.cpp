#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <optional>
#include <string>

#include "muslin/contact/bounded/bounded_contact.h"
#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/parallel.h"
#include "muslin/model/fabrics.h"
#include "muslin/simulation.h"
#include "torture/judged_run.h"
#include "torture/scenes.h"
#include "unit/contact_sheets.h"

// Position-based cloth whose displacements are bounded by its gaps.

namespace muslin {
namespace {

using namespace contact_test;

void with_pairs(Scene& scene, int substeps = 40) {
  scene.solver.family = "position";
  scene.solver.position.substeps = substeps;
  scene.solver.position.contact = PositionContact::pairs;
}

// --- bounds ----------------------------------------------------------------------------------------

constexpr double kThickness = 0.01;

/// Two sheets, 0.02 m apart, of 9 × 9 vertices on a square metre.
Scene two_sheets() {
  Scene scene;
  for (const double height : {0.0, 0.02}) {
    Cloth cloth;
    cloth.name = height == 0 ? "below" : "above";
    cloth.grid = Grid{.points = {9, 9}, .size = {1, 1}, .origin = {0, height, 0}};
    scene.cloths.push_back(cloth);
  }
  scene.self_collision = {.enabled = true, .distance = kThickness, .friction = 0.5};
  with_pairs(scene);
  return scene;
}

Points shaken(const Model& model, std::uint64_t seed) {
  return model.start + noise(model.vertex_count(), 0.009, seed);
}

TEST(BoundedContact, LeavesATenthOfEveryDistanceByBruteForce) {
  const Model model = build_model(two_sheets());
  const Surfaces surfaces = SceneSurfaces(model, model.script, Members::cloth).surfaces();
  BoundedContact contact(model);
  int cut = 0, near = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    // Some go far, some hardly, and every third time all go far together.
    const Points x = shaken(model, seed);
    Points displacement = noise(model.vertex_count(), seed % 2 == 0 ? 0.003 : 0.06, seed + 100);
    if (seed % 3 == 0) displacement.colwise() += Vec3(0.3, -0.2, 0.1);
    if (seed == 5) displacement *= 1e7;
    contact.begin(x);
    Points end = x + displacement;
    cut += contact.cut(end);
    ASSERT_EQ(count_crossings(surfaces, x), 0);
    Scalars least = Scalars::Constant(x.cols(), 1.0 / 8);  // the mean edge, or less
    for_each_pair(surfaces, [&](PairKind kind, const Stencil<4>& vertices) {
      const double before = static_cast<double>(reference::distance(kind, corners(x, vertices)));
      for (const int v : vertices) least[v] = std::min(least[v], before);
      if (before > 0.2) return;
      ++near;
      for (const double t : {0.3, 0.7, 1.0}) {
        const Points between = x + t * (end - x);
        EXPECT_GE(static_cast<double>(reference::distance(kind, corners(between, vertices))), 0.0999 * before)
            << seed << " at " << t;
      }
    });
    EXPECT_EQ(count_crossings(surfaces, end), 0) << seed;
    for (int v = 0; v < x.cols(); ++v)  // nobody is hindered without need
      if (seed % 3 != 0 && displacement.col(v).norm() < 0.45 * (least[v] - 0.1 * kThickness) - 1e-9) {
        EXPECT_EQ(end.col(v), x.col(v) + displacement.col(v)) << seed << " " << v;
      }
  }
  EXPECT_GT(cut, 100);
  EXPECT_GT(near, 10000);
}

TEST(BoundedContact, DoesNotDependOnWhenItLookedForPairs) {
  const Model model = build_model(two_sheets());
  BoundedContact often_used(model);
  Points x = shaken(model, 5);
  int contacts = 0, cut = 0;
  for (int step = 0; step < 60; ++step) {
    const Points wanted = x + noise(model.vertex_count(), step % 20 == 7 ? 0.02 : 0.0005, step);
    Points first = wanted, second = wanted;
    BoundedContact fresh(model);
    often_used.begin(x);
    fresh.begin(x);
    contacts += often_used.push_apart(model.script.inverse_mass, 1e-3, first);
    fresh.push_apart(model.script.inverse_mass, 1e-3, second);
    ASSERT_EQ(first, second) << step;
    ASSERT_EQ(often_used.least_distance(), fresh.least_distance());
    cut += often_used.cut(first);
    fresh.cut(second);
    ASSERT_EQ(first, second) << step;
    x = first;
  }
  EXPECT_GT(contacts, 100);
  EXPECT_GT(cut, 100);
}

TEST(BoundedContact, PushesKeepMomentumWhateverTheMasses) {
  Scene scene = two_sheets();
  scene.cloths[1].fabric.density = 7 * *resolved(scene.cloths[1].fabric).density;
  const Model model = build_model(scene);
  BoundedContact contact(model);
  const Points start = shaken(model, 3);
  Points x = start;
  x.rightCols(81).row(1).array() -= 0.015;  // the upper sheet comes down, and goes aside
  x.rightCols(81).row(0).array() += 0.002;
  const Points before = x;
  contact.begin(start);
  ASSERT_GT(contact.push_apart(model.script.inverse_mass, 1e-3, x), 50);
  const Vec3 gained = (x - before) * model.mass;
  const double size = (x - before).colwise().norm() * model.mass;
  EXPECT_GT(size, 0);
  EXPECT_LT(gained.norm(), 1e-13 * size);
}

TEST(BoundedContact, WhatTouchesStaysWhereItIs) {
  const Model model = build_model(two_sheets());
  const int touching = 81 + 4 * 9 + 4;
  Points start = model.start;
  start.col(touching) += Vec3(0.01, -0.02, 0.03);  // in a triangle of the sheet below
  for (const double up : {-0.02, 0.02}) {
    BoundedContact contact(model);
    Points x = start;
    x.col(touching).y() += up;
    contact.begin(start);
    EXPECT_EQ(contact.cut(x), 1);
    EXPECT_TRUE(x == start);
  }
}

// --- scenes that break contact ---------------------------------------------------------------------

struct Case {
  std::string scene;
  int cells, frames;
  std::optional<PositionPath> path = {};  ///< none: the fastest
};

class PositionTorture : public ::testing::TestWithParam<Case> {
 protected:
  void TearDown() override { set_threads(0); }
};

TEST_P(PositionTorture, NoClothPassesThroughCloth) {
  Scene scene = torture::make(GetParam().scene, {GetParam().cells, 1});
  with_pairs(scene);
  scene.solver.position.path = GetParam().path;
  torture::JudgedRun run(scene, torture::Along::frames, Members::cloth);  // colliders are met by vertices
  int contacts = 0;
  for (int frame = 1; frame <= GetParam().frames; ++frame) {
    const auto [report, verdict] = run.step();
    ASSERT_EQ(verdict.meeting.size(), 0u) << "frame " << frame;
    ASSERT_EQ(verdict.crossings.size(), 0u) << "frame " << frame;
    ASSERT_GT(report.step.least_distance, 0) << "frame " << frame;
    ASSERT_EQ(report.step.status, Status::ok) << "frame " << frame;
    ASSERT_EQ(report.step.path == PositionPath::general, GetParam().path == PositionPath::general);
    contacts = std::max(contacts, report.step.contacts);
  }
  EXPECT_GT(contacts, 20);
}

INSTANTIATE_TEST_SUITE_P(Small, PositionTorture,
                         ::testing::Values(Case{"twist", 24, 60}, Case{"stack", 8, 40},
                                           Case{"needles", 16, 40}, Case{"rotating_sphere", 16, 40},
                                           Case{"card_shuffle", 6, 30}, Case{"tablecloth_pull", 12, 24},
                                           Case{"reef_knot", 12, 140}, Case{"fold", 16, 50},
                                           Case{"stack", 8, 40, PositionPath::general},
                                           Case{"fold", 16, 50, PositionPath::general}),
                         [](const auto& tested) {
                           return std::string(tested.param.scene) + (tested.param.path ? "_general" : "");
                         });

TEST_F(PositionTorture, TheSameBitByBitOnAnyNumberOfThreadsAndAfterARestart) {
  Scene scene = torture::make("stack", {12, 1});
  with_pairs(scene, 20);  // of a list made anew, and of one in use
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 3, 7}) {
    set_threads(threads);
    Simulation simulation(scene);
    FrameReport report;
    for (int frame = 0; frame < 5; ++frame) report = simulation.step();
    const State saved = simulation.state();
    for (int frame = 0; frame < 5; ++frame) report = simulation.step();
    EXPECT_GT(report.step.contacts, 0);
    if (threads == 1) first = report.hash;
    EXPECT_EQ(report.hash, first) << threads;
    Simulation continued(scene);
    continued.restore(saved, 5);
    for (int frame = 0; frame < 5; ++frame) report = continued.step();
    EXPECT_EQ(report.hash, first) << threads << ", restarted";
  }
}

// --- what it feels like ----------------------------------------------------------------------------

/// A small sheet on a larger one, of which every vertex is held, tilted by a slope.
Scene sheet_on_slope(double slope, double friction) {
  const Vec3 up = Vec3(slope, 1, 0).normalized(), down = Vec3(1, -slope, 0).normalized();
  const auto sheet = [&](int points, double size, const Vec3& middle) {
    Cloth cloth;
    const Vec3 corner = middle - size / 2 * (down + Vec3::UnitZ());
    cloth.grid = Grid{
        .points = {points, points}, .size = {size, size}, .origin = corner, .u = down, .v = Vec3::UnitZ()};
    cloth.fabric.bend = 1e-5;
    return cloth;
  };
  Scene scene;
  scene.cloths = {sheet(14, 0.5, Vec3::Zero()), sheet(8, 0.12, kThickness * up - 0.1 * down)};
  scene.cloths[1].name = "above";
  Pin pin;
  for (int v = 0; v < 14 * 14; ++v) pin.vertices.push_back(v);
  scene.cloths[0].pins = {pin};
  scene.self_collision = {.enabled = true, .distance = kThickness, .friction = friction};
  with_pairs(scene);
  return scene;
}

TEST(PositionContactForm, ASheetThatRestsOnAnotherKeepsItsThickness) {
  Simulation simulation(sheet_on_slope(0, 0.3));
  double least = 1, highest = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const FrameReport report = simulation.step();
    if (frame < 20) continue;
    least = std::min(least, report.step.least_distance);
    highest = std::max(highest, simulation.state().positions.rightCols(64).row(1).maxCoeff());
    EXPECT_GT(report.step.contacts, 50);
  }
  EXPECT_GT(least, 0.9 * kThickness);
  EXPECT_LT(highest, 1.1 * kThickness);
}

TEST(PositionContactForm, FrictionIsCoulombs) {
  const Vec3 down = Vec3(1, -0.5, 0).normalized();
  const auto speed = [&](const Simulation& simulation) {
    return simulation.state().velocities.rightCols(64).rowwise().mean().dot(down);
  };
  Simulation sticks(sheet_on_slope(0.5, 0.6)), slides(sheet_on_slope(0.5, 0.3));
  for (int frame = 0; frame < 5; ++frame) sticks.step(), slides.step();
  const double before = speed(slides);
  const Points there = sticks.state().positions;
  for (int frame = 0; frame < 15; ++frame) sticks.step(), slides.step();
  const double expected = 9.81 * (0.5 - 0.3) / std::sqrt(1.25) * 0.25;  // g (sin − μ cos) t
  const double crept = (sticks.state().positions - there).colwise().norm().maxCoeff();
  EXPECT_NEAR(speed(slides) - before, expected, 0.1 * expected);
  EXPECT_LT(crept, 1e-3);
}

TEST(PositionContactForm, APinThatPressesClothIsLeftShortAndSaysSo) {
  Scene scene = two_sheets();
  for (int k = 0; k < 2; ++k) {
    Pin pin;
    for (int v = 0; v < 81; ++v) pin.vertices.push_back(v);
    if (k == 1) pin.motion.keyframes = {{0}, {0.1, {0, -0.1, 0}}, {0.2}};
    scene.cloths[k].pins = {pin};
  }
  Simulation simulation(scene);
  double most = 0;
  for (int frame = 0; frame < 15; ++frame) {
    const FrameReport report = simulation.step();
    most = std::max(most, report.step.blocked);
    EXPECT_GE(simulation.state().positions.rightCols(81).row(1).minCoeff(), 0.0999 * kThickness);
  }
  EXPECT_NEAR(most, 0.08, 0.002) << "where the other sheet is";
  EXPECT_TRUE(simulation.state().positions == simulation.model().start) << "back";
}

TEST(PositionContactForm, AStateThatIsNotFiniteIsReported) {
  Simulation simulation(two_sheets());
  State state = simulation.state();
  state.velocities(0, 3) = std::numeric_limits<double>::infinity();
  simulation.restore(state, 0);
  EXPECT_EQ(simulation.step().step.status, Status::diverged);
}

}  // namespace
}  // namespace muslin

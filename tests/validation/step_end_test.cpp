#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

// Where steps of quasi-Newton in contact end, against the same steps to a hundredth of the tolerance; and
// where they end when their time is up.

namespace muslin {
namespace {

// A sheet of thin cotton that falls on a ball, in steps that are not cut.
Scene sheet_on_ball(const std::vector<Override>& overrides = {}) {
  return parse_scene(R"({"frame_time": 0.004,
    "cloths": [{"grid": {"points": [25, 25], "size": [0.5, 0.5], "origin": [-0.25, 0.104, -0.25]},
                "fabric": "cotton"}],
    "colliders": [{"shape": "sphere", "radius": 0.1, "friction": 0.4}],
    "solver": {"family": "quasi_newton", "quasi_newton": {"adaptive": false, "integrator": "euler"}}})",
                     "sheet.json", ".", overrides);
}

double root_mean_square(const Model& model, const Points& way) {
  return std::sqrt((way.colwise().squaredNorm() * model.mass).value() / model.mass.sum());
}

// One run is a lottery: which of its steps ends where hangs on the last digit. Six runs have some 320 steps
// in contact, of which one or two end beyond three tolerances.
TEST(StepEnd, InContactIsWithinThreeTolerancesOfAConvergedStep) {
  int in_contact = 0, beyond = 0;
  double sum = 0, worst = 0;  // of distances, in tolerances
  for (const double friction : {0.3, 0.35, 0.4, 0.45, 0.5, 0.55}) {
    std::vector<Override> overrides{{"/colliders/0/friction", std::to_string(friction)}};
    const Scene scene = sheet_on_ball(overrides);
    overrides.push_back({"/solver/quasi_newton/tolerance", "1e-6"});
    overrides.push_back({"/solver/quasi_newton/iterations", "400"});
    Simulation simulation(scene), exact(sheet_on_ball(overrides));
    const double tolerance = scene.solver.quasi_newton.nearness() * scene.frame_time * 60;
    for (int frame = 1; frame <= 60; ++frame) {
      exact.restore(simulation.state(), simulation.frame());
      const FrameReport report = simulation.step(), converged = exact.step();
      ASSERT_EQ(report.step.status, Status::ok) << frame;
      ASSERT_EQ(converged.step.status, Status::ok) << frame;
      if (report.step.contacts == 0) continue;
      ++in_contact;
      const Points way = simulation.state().positions - exact.state().positions;
      const double distance = root_mean_square(exact.model(), way) / tolerance;
      beyond += distance > 3;
      sum += distance;
      worst = std::max(worst, distance);
      EXPECT_LE(report.step.distance_left.value_or(1), tolerance) << "frame " << frame;
    }
  }
  EXPECT_GE(in_contact, 6 * 50);
  EXPECT_LE(sum / in_contact, 0.6);
  EXPECT_LE(beyond, in_contact / 50);
  EXPECT_LE(worst, 10);
}

// Pairs that are pressed too deep double their distance in an iteration of Newton's method. A step is over
// when they have left, not when that is little in metres.
TEST(StepEnd, HoldsUpASheetHoweverNearItBegan) {
  const auto least_distance_after_a_step = [](const char* origin) {
    Simulation simulation(parse_scene(R"({"frame_time": 0.016666666666666666,
      "cloths": [{"grid": {"points": [11, 11], "size": [0.2, 0.2], "u": [1, 0, 0], "v": [0, 0, 1]},
                  "fabric": "cotton", "velocity": [0, -1, 0]}],
      "colliders": [{"shape": "plane"}], "solver": {"family": "quasi_newton"}})",
                                      "sheet.json", ".", {{"/cloths/0/grid/origin", origin}}));
    const FrameReport report = simulation.step();
    EXPECT_EQ(report.step.status, Status::ok);
    return report.step.least_distance;
  };
  const double expected = least_distance_after_a_step("[0, 1e-4, 0]");
  EXPECT_GT(expected, 1e-4);
  for (const char* origin : {"[0, 1e-5, 0]", "[0, 1e-6, 0]", "[0, 1e-7, 0]"})
    EXPECT_NEAR(least_distance_after_a_step(origin), expected, 0.05 * expected) << origin;
}

TEST(StepEnd, WhereTimeIsUpIsSafeAndSaysHowFarItIs) {
  Simulation unlimited(sheet_on_ball()), ample(sheet_on_ball({{"/solver/quasi_newton/milliseconds", "1e6"}})),
      hurried(sheet_on_ball({{"/solver/quasi_newton/milliseconds", "1e-6"}}));
  int late = 0;
  for (int frame = 1; frame <= 40; ++frame) {
    unlimited.step();
    ample.step();
    const FrameReport report = hurried.step();
    ASSERT_TRUE(hurried.state().positions.allFinite());
    EXPECT_LE(report.step.iterations, 2) << "frame " << frame;
    EXPECT_GT(report.step.least_distance, 0) << "frame " << frame;
    ASSERT_TRUE(report.step.distance_left.has_value()) << "frame " << frame;
    if (report.step.status == Status::ok) continue;
    ++late;
    EXPECT_EQ(report.step.status, Status::not_converged);
    EXPECT_GT(*report.step.distance_left, 0);
  }
  EXPECT_GT(late, 0);
  EXPECT_EQ(hash(ample.state()), hash(unlimited.state()));
}

}  // namespace
}  // namespace muslin

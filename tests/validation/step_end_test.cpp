#include <gtest/gtest.h>

#include <cmath>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

// Where steps of quasi-Newton in contact end, against the same steps to a hundredth of the tolerance, within
// three tolerances, as random steps do (random_steps_test.cpp); and where they end when their time is up.

namespace muslin {
namespace {

// A sheet of thin cotton that falls on a ball, in steps that are not cut.
Scene sheet_on_ball(const std::vector<Override>& overrides = {}) {
  return parse_scene(R"({"frame_time": 0.004,
    "cloths": [{"grid": {"points": [25, 25], "size": [0.5, 0.5], "origin": [-0.25, 0.104, -0.25]},
                "fabric": "cotton"}],
    "colliders": [{"shape": "sphere", "radius": 0.1, "friction": 0.4}],
    "solver": {"family": "quasi_newton", "quasi_newton": {"adaptive": false}}})",
                     "sheet.json", ".", overrides);
}

double root_mean_square(const Model& model, const Points& way) {
  return std::sqrt((way.colwise().squaredNorm() * model.mass).value() / model.mass.sum());
}

TEST(StepEnd, InContactIsWithinThreeTolerancesOfAConvergedStep) {
  const Scene scene = sheet_on_ball();
  Simulation simulation(scene);
  Simulation exact(sheet_on_ball(
      {{"/solver/quasi_newton/tolerance", "1e-6"}, {"/solver/quasi_newton/iterations", "400"}}));
  const double tolerance = scene.solver.quasi_newton.nearness() * scene.frame_time * 60;
  int in_contact = 0;
  for (int frame = 1; frame <= 60; ++frame) {
    exact.restore(simulation.state(), simulation.frame());
    const FrameReport report = simulation.step(), converged = exact.step();
    ASSERT_EQ(report.step.status, Status::ok) << frame;
    ASSERT_EQ(converged.step.status, Status::ok) << frame;
    if (report.step.contacts == 0) continue;
    ++in_contact;
    const double distance =
        root_mean_square(exact.model(), simulation.state().positions - exact.state().positions);
    EXPECT_LE(distance, 3 * tolerance) << "frame " << frame;
    EXPECT_LE(report.step.distance_left.value_or(1), tolerance) << "frame " << frame;
  }
  EXPECT_GE(in_contact, 20);
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

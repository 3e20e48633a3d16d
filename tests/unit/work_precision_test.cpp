#include "muslin/compare/work_precision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "muslin/compare/work_precision_page.h"
#include "muslin/core/check.h"

namespace muslin {
namespace {

/// A sheet of two by two points, without pins.
Scene free_sheet() {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {2, 2};
  cloth.grid->size = {0.4, 0.4};
  cloth.fabric.density = 0.2;
  cloth.fabric.warp = 60;
  cloth.fabric.weft = 40;
  cloth.fabric.shear = 20;
  scene.cloths = {cloth};
  scene.frame_time = 0.02;
  scene.solver.family = "newton";
  scene.solver.newton.linear = LinearSolver::cholesky;
  scene.solver.newton.tolerance = 1e-12;
  scene.solver.newton.forcing = 1e-12;
  scene.solver.newton.iterations = 100;
  return scene;
}

/// The same, hanging from two corners: let go, it swings as a pendulum and stretches.
Scene pendulum() {
  Scene scene = free_sheet();
  scene.cloths[0].pins.resize(1);
  scene.cloths[0].pins[0].grid = {{0, 0}, {-1, 0}};
  return scene;
}

WorkPrecisionOptions by_newton(std::vector<Integrator> integrators, std::vector<int> steps) {
  WorkPrecisionOptions options;
  options.solvers = {"newton"};
  options.integrators = std::move(integrators);
  options.steps = std::move(steps);
  options.frames = 6;
  return options;
}

double order(const WorkPoint& coarse, const WorkPoint& fine, int frames) {
  return std::log2(summary_until(coarse, frames)->mean / summary_until(fine, frames)->mean) /
         std::log2(double(fine.steps) / coarse.steps);
}

TEST(WorkPrecision, EulerFallsTooFarByGravityTimesTheStep) {
  WorkPrecisionOptions options = by_newton({Integrator::euler}, {1, 4, 16});
  options.reference_steps = 512;
  const Scene scene = free_sheet();
  const WorkPrecision result = work_precision(scene, options);
  ASSERT_EQ(result.lines.size(), 1u);
  const double g = scene.gravity.norm();
  for (const WorkPoint& point : result.lines[0].points) {
    ASSERT_EQ(point.error.size(), 6u);
    for (int frame = 1; frame <= 6; ++frame) {
      const double h = scene.frame_time / point.steps, t = frame * scene.frame_time;
      const double exact = g * h * t / 2;  // y = −g h² n (n + 1)/2 after n steps, −g t²/2 in truth
      EXPECT_NEAR(point.error[frame - 1], exact, 1e-7) << point.steps << " steps, frame " << frame;
    }
  }
  for (int frame = 1; frame <= 6; ++frame) {
    const double t = frame * scene.frame_time;
    EXPECT_NEAR(result.reference.travelled[frame - 1], g * t * t / 2, 1e-7);
  }
}

TEST(WorkPrecision, OrdersOfASwingAreOneForEulerAndTwoForBdf2) {
  const WorkPrecision result =
      work_precision(pendulum(), by_newton({Integrator::euler, Integrator::bdf2}, {8, 16, 32}));
  ASSERT_EQ(result.lines.size(), 2u);
  EXPECT_EQ(result.lines[0].name, "newton_euler");
  EXPECT_EQ(result.lines[1].label, "Newton BDF2");
  for (const auto& [line, expected, tolerance] :
       {std::tuple{result.lines[0], 1.0, 0.1}, {result.lines[1], 2.0, 0.2}})
    for (size_t p = 1; p < 3; ++p) {
      const double found = order(line.points[p - 1], line.points[p], result.frames);
      std::cout << "  " << line.name << ", " << line.points[p].steps << " steps: order " << found << "\n";
      EXPECT_NEAR(found, expected, tolerance) << line.name;
    }
}

TEST(WorkPrecision, TheReferenceDoubtsItselfByItsOwnOrder) {
  const auto doubt = [](int steps) {
    WorkPrecisionOptions options = by_newton({Integrator::euler}, {1});
    options.reference_steps = steps;
    const WorkReference reference = work_precision(pendulum(), options).reference;
    EXPECT_EQ(reference.check_steps, steps / 2);
    return reference.doubt.back();
  };
  EXPECT_NEAR(std::log2(doubt(64) / doubt(128)), 2, 0.2);
}

TEST(WorkPrecision, AllStepsLoseTheSameVelocityASecond) {
  Scene scene = free_sheet();
  scene.solver.newton.velocity_loss = 0.05;  // a frame: half of the speed in 14
  WorkPrecisionOptions options = by_newton({Integrator::euler}, {8, 16});
  options.reference_steps = 1024;
  const WorkPrecision result = work_precision(scene, options);
  EXPECT_LT(result.reference.travelled.back(),
            0.97 * scene.gravity.norm() * std::pow(6 * scene.frame_time, 2) / 2);
  const std::vector<WorkPoint>& points = result.lines[0].points;
  EXPECT_NEAR(order(points[0], points[1], result.frames), 1, 0.1);
}

TEST(WorkPrecision, PositionBySecondOrderFollowsGustsOfItsTime) {
  Scene scene = pendulum();
  scene.wind.velocity = {4, 0, 4};
  scene.wind.gust = 4;
  scene.wind.gust_length = 1;
  scene.wind.air_density = 1.2;
  WorkPrecisionOptions options = by_newton({Integrator::euler, Integrator::bdf2}, {64});
  options.solvers = {"position"};
  options.frames = 15;
  const WorkPrecision result = work_precision(scene, options);
  std::cout << "  " << result.lines[0].points[0].error.back() << " m by euler, "
            << result.lines[1].points[0].error.back() << " m by bdf2\n";
  EXPECT_LT(result.lines[1].points[0].error.back(), result.lines[0].points[0].error.back());
}

TEST(WorkPrecision, MarksTheScenesOwnSteps) {
  Scene scene = pendulum();
  scene.solver.newton.substeps = 4;
  const WorkPrecision among = work_precision(scene, by_newton({}, {1, 2, 4}));
  ASSERT_EQ(among.lines[0].points.size(), 3u);
  EXPECT_TRUE(among.lines[0].points[2].own);
  EXPECT_FALSE(among.lines[0].points[1].own);
  WorkPrecisionOptions fewer = by_newton({}, {1, 2});
  fewer.reference_steps = among.reference.steps;
  const WorkPrecision beside = work_precision(scene, fewer);
  ASSERT_EQ(beside.lines[0].points.size(), 3u);
  EXPECT_TRUE(beside.lines[0].points[2].own);
  EXPECT_EQ(beside.lines[0].points[2].error, among.lines[0].points[2].error) << "the same steps";
}

TEST(WorkPrecision, ExplicitStepsBeginWhereTheyAreStable) {
  WorkPrecisionOptions options = by_newton({}, {1});
  options.solvers = {"explicit"};
  Scene scene = pendulum();
  scene.cloths[0].fabric.warp = 6000;
  const WorkPrecision result = work_precision(scene, options);
  const std::vector<WorkPoint>& points = result.lines[0].points;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_TRUE(points[0].own);
  EXPECT_GT(points[0].steps, 1);
  EXPECT_EQ(points[2].steps, 4 * points[0].steps);
  for (const WorkPoint& point : points) EXPECT_FALSE(point.diverged);
}

TEST(WorkPrecision, RunsThatBlowUpAreMarkedAndOthersGoOn) {
  WorkPrecisionOptions options = by_newton({}, {1, 64});
  options.solvers = {"implicit", "pbd"};
  Scene scene = pendulum();
  scene.cloths[0].fabric.warp = 6000;
  ImplicitSettings& implicit = scene.solver.implicit;
  implicit.direction = Direction::uniform;
  implicit.uniform_factor = 0.01;  // descends a hundred times too far
  implicit.acceleration = Acceleration::none;
  implicit.check_every = 0;
  implicit.tolerance = 0;
  const WorkPrecision result = work_precision(scene, options);
  const WorkPoint& blown = result.lines[0].points[0];
  EXPECT_TRUE(blown.diverged);
  EXPECT_EQ(blown.ms.size(), blown.error.size() + 1);
  EXPECT_NE(blown.remark.find("diverged in frame"), std::string::npos);
  EXPECT_FALSE(summary_until(blown, result.frames));
  EXPECT_FALSE(result.lines[1].points[0].diverged);
  EXPECT_EQ(result.lines[1].points[0].error.size(), 6u);
}

TEST(WorkPrecision, EndsWhatTakesTooLongAndWhatIsStopped) {
  WorkPrecisionOptions options = by_newton({}, {1, 2});
  options.longest = 0;
  const WorkPrecision cut = work_precision(pendulum(), options);
  EXPECT_EQ(cut.lines[0].points[0].error.size(), 1u);
  EXPECT_NE(cut.lines[0].points[0].remark.find("ended after 1 frame"), std::string::npos);

  options.longest = 120;
  int asked = 0;
  WorkWatcher watcher;
  watcher.stop = [&] { return ++asked > 6 + 6 + 6 + 3; };  // two references, a run, half a run
  const WorkPrecision stopped = work_precision(pendulum(), options, watcher);
  EXPECT_TRUE(stopped.interrupted);
  ASSERT_EQ(stopped.lines[0].points.size(), 1u);
  EXPECT_EQ(stopped.lines[0].points[0].error.size(), 6u);
}

TEST(WorkPrecision, JsonAndPageHaveThePoints) {
  Scene scene = pendulum();
  scene.name = "a </script> sheet";
  const WorkPrecision result =
      work_precision(scene, by_newton({Integrator::euler, Integrator::bdf2}, {1, 2}));
  const auto json = nlohmann::json::parse(work_precision_json(result));
  EXPECT_EQ(json["looked_at"], nlohmann::json({2, 4, 6}));
  ASSERT_EQ(json["lines"].size(), 2u);
  for (const auto& line : json["lines"]) {
    EXPECT_EQ(line["points"][0]["steps"], 1);
    EXPECT_GT(line["points"][0]["mean_error"], line["points"][1]["mean_error"]);
    EXPECT_EQ(line["points"][0]["error"].size(), 6u);
    EXPECT_GT(line["points"][0]["mean_ms"], 0);
  }
  EXPECT_EQ(json["reference"]["steps"], 8);
  const std::string page = work_precision_page(result);
  EXPECT_EQ(page.find("a </script> sheet"), std::string::npos);
  EXPECT_NE(page.find("--s-newton_bdf2:"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos) << "every place is filled";
}

TEST(WorkPrecision, SaysWhichSolverHasNotTheIntegrator) {
  WorkPrecisionOptions options = by_newton({Integrator::sdirk2}, {1});
  options.solvers = {"position", "newton"};
  const WorkPrecision result = work_precision(pendulum(), options);
  EXPECT_NE(result.lines[0].refusal.find("/solver/position/integrator"), std::string::npos);
  EXPECT_TRUE(result.lines[0].points.empty());
  EXPECT_EQ(result.lines[1].refusal, "");
  EXPECT_EQ(result.lines[1].label, "Newton SDIRK2");
}

TEST(WorkPrecision, RefusesWhatCannotBeRun) {
  WorkPrecisionOptions options = by_newton({}, {2, 1});
  EXPECT_THROW(work_precision(pendulum(), options), Error);
  options.steps = {0, 1};
  EXPECT_THROW(work_precision(pendulum(), options), Error);
  options = by_newton({}, {1});
  options.solvers = {"newtn"};
  EXPECT_THROW(work_precision(pendulum(), options), Error);
  options = by_newton({}, {1});
  options.frames = 0;
  EXPECT_THROW(work_precision(pendulum(), options), Error);
}

TEST(WorkPrecision, LooksAtThreeFrames) {
  EXPECT_EQ(looked_at(15), (std::vector{5, 10, 15}));
  EXPECT_EQ(looked_at(2), (std::vector{1, 2}));
  EXPECT_EQ(looked_at(1), (std::vector{1}));
}

}  // namespace
}  // namespace muslin

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "muslin/core/budget.h"
#include "property/methods.h"

// Runs that end before they are done: on request, at a time, and where they take too much.

namespace muslin {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

TEST(Budget, CountsIterationsAndHeedsAStop) {
  Stop stop;
  Budget budget(3, stop);
  EXPECT_TRUE(budget.spend() && budget.spend());
  EXPECT_FALSE(budget.spend());
  EXPECT_TRUE(budget.is_spent() && budget.is_over());
  EXPECT_FALSE(budget.was_stopped());

  Budget stopped(1000, stop);
  stop.request();
  EXPECT_FALSE(stopped.spend());
  stop.take_back();
  EXPECT_TRUE(stopped.is_over()) << "once over, it stays so";
  EXPECT_TRUE(stopped.was_stopped());
  EXPECT_FALSE(stopped.is_spent());

  Budget late(1000, stop);
  stop.at(Clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(late.is_over());
  stop.at(Clock::now());
  EXPECT_TRUE(late.is_over());
}

/// Every family.
class StoppedRuns : public testing::TestWithParam<std::string> {
 protected:
  /// A step of it would take very long.
  static Scene endless() {
    Scene scene = busy_sheet(family(GetParam()), {17, 13});
    SolverSettings& solver = scene.solver;
    solver.explicit_.substeps = solver.position.substeps = 100000;
    solver.implicit.iterations = solver.block_descent.iterations = solver.projective.iterations = 1000000;
    solver.implicit.tolerance = solver.block_descent.tolerance = solver.projective.tolerance = 0;
    solver.newton.iterations = 100000;
    solver.newton.tolerance = 0;
    for (Stepping* stepping :
         {static_cast<Stepping*>(&solver.newton), static_cast<Stepping*>(&solver.baraff_witkin),
          static_cast<Stepping*>(&solver.quasi_newton)})
      stepping->substeps = 100000;
    return scene;
  }
};

TEST_P(StoppedRuns, KeepTheFrameBeforeWhereAWatcherThrows) {
  Scene scene = busy_sheet(family(GetParam()), {9, 7});
  Simulation watched(scene), undisturbed(scene);
  for (int frame = 0; frame < 3; ++frame) {
    const std::uint64_t before = hash(watched.state());
    watched.watch_steps([&](const State&, const Input& input, const State&) {
      if (input.ends_frame) throw std::runtime_error("enough");
    });
    EXPECT_THROW(watched.step(), std::runtime_error);
    EXPECT_EQ(hash(watched.state()), before);
    EXPECT_EQ(watched.frame(), frame);
    watched.watch_steps({});
    EXPECT_EQ(watched.step().hash, undisturbed.step().hash);
  }
}

TEST_P(StoppedRuns, KeepTheFrameBeforeAndGoOnFromThere) {
  const Scene scene = busy_sheet(family(GetParam()), {9, 7});
  Simulation stopped(scene), undisturbed(scene);
  for (int frame = 0; frame < 4; ++frame) {
    const std::uint64_t before = hash(stopped.state());
    stopped.stop().request();
    const FrameReport report = stopped.step();
    EXPECT_EQ(report.step.status, Status::cancelled);
    EXPECT_EQ(report.frame, frame);
    EXPECT_EQ(report.hash, before);
    stopped.step();
    undisturbed.step();
    EXPECT_EQ(stopped.frame(), frame + 1);
    EXPECT_EQ(hash(stopped.state()), hash(undisturbed.state()));
  }
}

TEST_P(StoppedRuns, EndWithinAStep) {
  Simulation simulation(endless());
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    simulation.stop().request();
  });
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(simulation.step().step.status, Status::cancelled);
  other.join();
  EXPECT_LT(seconds_since(start), 2);
  EXPECT_EQ(simulation.frame(), 0);

  const Clock::time_point again = Clock::now();
  simulation.stop().at(again + std::chrono::milliseconds(50));
  EXPECT_EQ(simulation.step().step.status, Status::cancelled);
  EXPECT_GE(seconds_since(again), 0.05);
  EXPECT_LT(seconds_since(again), 2);
}

std::vector<std::string> family_names() { return {kFamilies.begin(), kFamilies.end()}; }
INSTANTIATE_TEST_SUITE_P(Families, StoppedRuns, testing::ValuesIn(family_names()),
                         [](const auto& family) { return family.param; });

TEST(Failures, AreToldApart) {
  Scene scene = busy_sheet(family("newton"), {9, 7});
  scene.solver.budget = 5;
  FrameReport report = Simulation(scene).step();
  EXPECT_EQ(report.step.status, Status::diverged);
  EXPECT_EQ(report.failure, Failure::over_budget);

  scene = sheet(family("newton"));
  scene.cloths[0].pins = {pin_at({{0, 0}}), pin_at({{-1, 0}})};
  scene.cloths[0].pins[1].motion.keyframes = {{}, {0.01, {500, 0, 0}, Vec3::Zero()}};
  report = Simulation(scene).step();
  EXPECT_EQ(report.step.status, Status::diverged);
  EXPECT_EQ(report.failure, Failure::overstretched);
  EXPECT_TRUE(std::isfinite(report.strain_max));

  Simulation broken(sheet(family("newton")));
  State state = broken.state();
  state.velocities(0, 0) = std::numeric_limits<double>::quiet_NaN();
  broken.restore(state, 0);
  EXPECT_EQ(broken.step().failure, Failure::not_finite);
  broken.restore(state, 0);
  EXPECT_EQ(broken.advance().status, Status::diverged);
}

// What a run may take changes nothing of runs that take less.
TEST(Failures, ABudgetThatIsNotSpentLeavesTheSameBits) {
  for (const char* name : {"newton", "quasi_newton"}) {
    Scene scene = busy_sheet(family(name), {9, 7});
    Simulation usual(scene);
    scene.solver.budget = 100000;
    Simulation tight(scene);
    for (int frame = 0; frame < 5; ++frame) EXPECT_EQ(usual.step().hash, tight.step().hash);
  }
}

}  // namespace
}  // namespace muslin

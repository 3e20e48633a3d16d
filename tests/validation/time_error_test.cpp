#include "muslin/core/random.h"
#include "validation/laboratory.h"

// The error of time that frames report, beside what small steps from the same state say of it; steps by
// accuracy.

namespace muslin {
namespace {

/// A sheet that hangs from a side or swings from two corners, with a breeze or without.
Scene hanging(bool by_corners, bool windy) {
  Cloth cloth = rectangle({13, 13}, {0.6, 0.6}, {1, 0, 0}, {0, 0, 1});
  cloth.fabric.preset = "cotton";
  if (by_corners)
    cloth.pins = {pin_vertices({0, 12})};
  else
    cloth.pins = {pin_sides({Side::v_min})};
  SolverSettings settings;
  settings.quasi_newton.tolerance = 1e-5;
  Scene scene = scene_of(cloth, settings);
  if (windy) {
    scene.wind.velocity = {2, 0, 1};
    scene.wind.air_density = 1.2;
  }
  return scene;
}

double distance(const Points& a, const Points& b) {
  return (a - b).norm() / std::sqrt(static_cast<double>(a.cols()));
}

/// The error of every frame: how far it ends from one of 40 steps that begins in the same state [m].
struct Frames {
  std::vector<double> estimated, true_error;
};
Frames errors_of(Scene scene, int frames) {
  Simulation simulation(scene);
  scene.solver.quasi_newton.substeps = 40;
  scene.solver.quasi_newton.tolerance = 1e-7;
  Simulation fine(scene);
  Frames errors;
  for (int frame = 0; frame < frames; ++frame) {
    const State before = simulation.state();
    const FrameReport report = simulation.step();
    fine.restore(before, frame);
    fine.step();
    errors.estimated.push_back(report.step.time_error.value());
    errors.true_error.push_back(distance(simulation.state().positions, fine.state().positions));
  }
  return errors;
}

TEST(TimeError, IsWithinAFactorOfThreeInNineOfTenFrames) {
  for (const bool by_corners : {false, true})
    for (const bool windy : {false, true})
      for (const int steps : {1, 2, 4}) {
        Scene scene = hanging(by_corners, windy);
        scene.solver.quasi_newton.substeps = steps;
        const Frames errors = errors_of(scene, 30);
        int within = 0;
        for (size_t k = 0; k < errors.estimated.size(); ++k) {
          const double ratio = errors.estimated[k] / errors.true_error[k];
          within += ratio > 1.0 / 3 && ratio < 3;
        }
        std::cout << "  " << (by_corners ? "corners" : "side") << (windy ? ", wind, " : ", ") << steps
                  << " steps: " << within << " of 30 within 3; last " << errors.estimated.back() << " for "
                  << errors.true_error.back() << " m\n";
        EXPECT_GE(within, 27);
      }
}

TEST(Accuracy, BoundsTheErrorOfEveryFrame) {
  for (const double accuracy : {1e-3, 1e-4}) {
    Scene scene = hanging(/*by_corners=*/true, /*windy=*/true);
    scene.solver.quasi_newton.accuracy = accuracy;
    const Frames errors = errors_of(scene, 30);
    for (const double error : errors.true_error) EXPECT_LT(error, 3 * accuracy);
  }
}

TEST(Accuracy, FreeFallIsExactWithAnyStep) {
  for (const int steps : {1, 3, 16}) {
    Scene scene = scene_of(rectangle({7, 7}, {0.3, 0.3}, {1, 0, 0}, {0, 0, 1}), SolverSettings());
    scene.solver.quasi_newton.substeps = steps;
    Simulation simulation(scene);
    run(simulation, 30);
    EXPECT_LT(simulation.report().free_fall_error.value().norm(), 1e-12) << steps;
  }
}

TEST(Accuracy, StepsAreResumedToTheBit) {
  Scene scene = hanging(/*by_corners=*/true, /*windy=*/true);
  Simulation whole(scene), first(scene), second(scene);
  run(whole, 20);
  run(first, 9);
  second.load_saved(first.saved());
  run(second, 11);
  EXPECT_GT(whole.state().history.accelerations.cols(), 0);
  EXPECT_EQ(hash(whole.state()), hash(second.state()));
}

}  // namespace
}  // namespace muslin

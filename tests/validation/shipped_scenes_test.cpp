// scenes/validation/*.json come to what their first lines say.
#include <gtest/gtest.h>

#include <cmath>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

namespace {

using namespace muslin;

Points end_of(const std::string& name) {
  Simulation simulation(read_scene(std::string(MUSLIN_SCENES) + "/validation/" + name + ".json"));
  while (simulation.frame() < simulation.scene().frames) simulation.step();
  return simulation.positions();
}

TEST(ShippedScenes, TheStripSagsByItsWeight) {
  const double sag = -1 - end_of("strip").row(1).minCoeff();
  EXPECT_NEAR(sag, 0.178 * 9.81 / (2 * 25.1), 0.001 * 0.0348);
}

TEST(ShippedScenes, TheSheetSlidesAsCoulombSays) {
  const double angle = std::atan(0.39);
  const double far = 9.81 * (std::sin(angle) - 0.3 * std::cos(angle)) / 2;
  EXPECT_NEAR(end_of("slope").row(0).mean(), far, 0.02 * far);
}

/// Slope below the horizon of the line from the root to the tip of a heavy elastic line of length 1 whose
/// weight over its rigidity is `load`: θ'' = −load (1 − s) cos θ, clamped level, free at the tip; by
/// shooting.
double hang_of_elastica(double load) {
  constexpr int kSteps = 4000;
  constexpr double ds = 1.0 / kSteps;
  double low = 0, high = load, x = 0, y = 0;  // of the curvature at the root
  for (int trial = 0; trial < 60; ++trial) {
    double curvature = (low + high) / 2, angle = 0;
    x = y = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double middle = angle + curvature * ds / 2;
      const double next = curvature - load * (1 - (i + 0.5) * ds) * std::cos(middle) * ds;
      x += std::cos(middle) * ds;
      y += std::sin(middle) * ds;
      angle += (curvature + next) / 2 * ds;
      curvature = next;
    }
    (curvature > 0 ? high : low) = (low + high) / 2;
  }
  return std::atan2(y, x);
}

TEST(ShippedScenes, TheOverhangHangsAsAnElasticLineDoes) {
  const double degree = std::acos(-1.0) / 180;
  const double hang = hang_of_elastica(std::pow(0.04 / 0.02, 3));
  EXPECT_NEAR(hang, 41.5 * degree, 0.05 * degree) << "the angle that Peirce's test is defined by";
  const Points end = end_of("overhang");
  int tip = 0;
  end.row(1).minCoeff(&tip);
  EXPECT_NEAR(std::atan2(-end(1, tip), end(0, tip)), hang, 0.2 * degree);
}

}  // namespace

// Forces on pins and colliders, against statics: weights, and m g cos α, m g sin α on a slope.
#include "muslin/contact/reactions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

Scene scene_of(const std::string& rest, const std::string& solver, const std::string& damping) {
  return parse_scene(R"({"frame_time": 0.04, "gravity": [0, -9.8, 0], "damping": )" + damping + "," + rest +
                         R"(, "solver": )" + solver + "}",
                     "test", ".");
}

constexpr const char* kNewton = R"({"family": "newton", "newton": {"tolerance": 1e-10, "iterations": 50}})";

double weight(const Simulation& simulation) { return 9.8 * simulation.model().mass.sum(); }

TEST(Reactions, PinsOfAHangingSheetCarryItsWeight) {
  Simulation simulation(
      scene_of(R"("cloths": [{"grid": {"points": [9, 9], "size": [0.4, 0.4], "v": [0, -1, 0]},
      "fabric": "cotton", "pins": [{"grid": [[0, 0]]}, {"grid": [[-1, 0]]}]}])",
               kNewton, "8"));
  for (int frame = 0; frame < 300; ++frame) simulation.step();
  const Reactions found = simulation.reactions();
  ASSERT_EQ(found.pins.size(), 2u);
  EXPECT_EQ(found.pins[0].vertices, 1);
  const Vec3 sum = found.pins[0].reaction + found.pins[1].reaction;
  EXPECT_NEAR(sum.y(), weight(simulation), 1e-6 * weight(simulation));
  EXPECT_NEAR(sum.x(), 0, 1e-6 * weight(simulation));
  EXPECT_NEAR(found.pins[0].reaction.y(), found.pins[1].reaction.y(), 0.2 * weight(simulation));
}

// In the first step of free fall from rest nothing holds the cloth, though it accelerates.
TEST(Reactions, FreeFallHasNone) {
  Simulation simulation(scene_of(R"("cloths": [{"grid": {"points": [5, 5], "size": [0.4, 0.4]}}],
      "colliders": [{"shape": "plane", "center": [0, -50, 0]}])",
                                 kNewton, "0"));
  simulation.step();
  const Reactions found = simulation.reactions();
  EXPECT_LT(found.vertices.norm(), 1e-6 * weight(simulation));
  EXPECT_EQ(found.colliders[0].vertices, 0);
  EXPECT_EQ(found.colliders[0].normal, Vec3::Zero());
}

class Lying : public testing::TestWithParam<const char*> {};

TEST_P(Lying, SlopeBearsNormalForceAndFriction) {
  const double angle = 20 * std::acos(-1.0) / 180;
  Simulation simulation(scene_of(R"("cloths": [{"grid": {"points": [7, 7], "size": [0.3, 0.3],
      "origin": [0, 0.001, 0], "u": [0.9396926, 0.3420201, 0]}, "fabric": "cotton"}],
      "colliders": [{"shape": "plane", "axis": [-0.3420201, 0.9396926, 0], "friction": 0.8}])",
                                 GetParam(), "2"));
  for (int frame = 0; frame < 100; ++frame) simulation.step();
  const ColliderLoad load = simulation.reactions().colliders[0];
  const double all = weight(simulation);
  EXPECT_EQ(load.vertices, 49);
  EXPECT_NEAR(load.normal.norm(), all * std::cos(angle), 0.01 * all);
  EXPECT_NEAR(load.friction.norm(), all * std::sin(angle), 0.01 * all * std::sin(angle));
  EXPECT_NEAR((load.normal + load.friction).y(), -all, 0.01 * all);
}

TEST_P(Lying, BallBearsTheWeight) {
  Simulation simulation(scene_of(R"("cloths": [{"grid": {"points": [15, 15], "size": [0.5, 0.5],
      "origin": [-0.25, 0.16, -0.25]}, "fabric": "cotton"}],
      "colliders": [{"shape": "sphere", "radius": 0.15, "friction": 0.6}])",
                                 GetParam(), "4"));
  for (int frame = 0; frame < 100; ++frame) simulation.step();
  const ColliderLoad load = simulation.reactions().colliders[0];
  EXPECT_NEAR((load.normal + load.friction).y(), -weight(simulation), 0.01 * weight(simulation));
  EXPECT_LT(std::hypot((load.normal + load.friction).x(), (load.normal + load.friction).z()),
            0.01 * weight(simulation));
}

INSTANTIATE_TEST_SUITE_P(Families, Lying,
                         testing::Values(R"({"family": "newton"})", R"({"family": "quasi_newton"})"));

// A strip of a given weight on its lower end, pulled by its own: N(s) = weight below over the width.
TEST(Tension, OfAHangingStripIsTheWeightBelow) {
  Simulation simulation(
      scene_of(R"("cloths": [{"grid": {"points": [5, 21], "size": [0.1, 0.5], "v": [0, -1, 0]},
      "fabric": {"density": 1, "warp": 2000, "weft": 2000, "shear": 500, "bend": 1e-5}, "pins": [{"sides": ["v_min"]}]}])",
               kNewton, "8"));
  for (int frame = 0; frame < 200; ++frame) simulation.step();
  const Model& model = simulation.model();
  const Points& x = simulation.state().positions;
  const Scalars tension = simulation.tension();
  double top = -kInfinity, low = kInfinity;
  for (int v = 0; v < model.vertex_count(); ++v) top = std::max(top, x(1, v)), low = std::min(low, x(1, v));
  int looked = 0;
  for (size_t t = 0; t < model.triangles.size(); ++t) {
    double height = 0;
    for (const int v : model.triangles[t]) height += x(1, v) / 3;
    const double part = (height - low) / (top - low);
    if (part < 0.4 || part > 0.8) continue;  // away from the clamp and from the free end
    ++looked;
    EXPECT_NEAR(tension[t], part * weight(simulation) / 0.1, 0.1 * weight(simulation) / 0.1);
  }
  EXPECT_GT(looked, 20);
}

}  // namespace
}  // namespace muslin

// Cloth that nothing moves out of its plane.

#include "muslin/model/flatness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

const char* const kFlag =
    R"({"grid": {"points": [9, 7], "size": [0.9, 0.6], "u": [1, 0, 0], "v": [0, 1, 0]JITTER},
                              "pins": [{"sides": ["SIDE"]MOTION}]})";

/// A flag in the plane of x and y.
Scene flag(const std::string& rest, const std::string& side = "u_min", const std::string& jitter = "",
           const std::string& motion = "") {
  std::string cloth = kFlag;
  for (const auto& [word, text] : {std::pair("JITTER", jitter), {"SIDE", side}, {"MOTION", motion}})
    cloth.replace(cloth.find(word), std::string(word).size(), text);
  return parse_scene(R"({"solver": {"family": "position"}, "cloths": [)" + cloth + "]" + rest + "}", "scene",
                     ".");
}

bool is_hinted(const Scene& scene) {
  const std::vector<std::string> warnings = build_model(scene).warnings;
  return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.find("so it never leaves this plane") != warning.npos;
  });
}

/// How far a run takes it out of its plane [m].
double way_out_of_plane(const Scene& scene) {
  Simulation simulation(scene);
  for (int frame = 0; frame < 30; ++frame) simulation.step();
  return simulation.state().positions.row(2).cwiseAbs().maxCoeff();
}

const char* const kWind = R"(, "wind": {"velocity": [8, 0, 0], "air_density": 1.2})";

TEST(FlatnessHint, IsGivenWhereARunStaysInItsPlane) {
  const auto agrees = [](const Scene& scene, bool hinted) {
    EXPECT_EQ(is_hinted(scene), hinted);
    EXPECT_EQ(way_out_of_plane(scene) == 0, hinted);
  };
  agrees(flag(kWind), true);
  agrees(flag(R"(, "wind": {"law": "mosegaard", "pressure": [3, 0, 0]})"), true);
  agrees(flag(kWind, "u_min", R"(, "jitter": 1e-5)"), false);
  agrees(flag(R"(, "wind": {"velocity": [8, 0, 0.01], "air_density": 1.2})"), false);
  agrees(flag(R"(, "wind": {"velocity": [8, 0, 0], "air_density": 1.2, "gust": 0.5})"), false);
  std::string askew = kWind;  // operator+ makes g++ 12 warn of bounds
  askew += R"(, "gravity": [0, -9, 1])";
  agrees(flag(askew), false);
  agrees(flag(kWind, "u_min", "", R"(, "motion": {"swing": [0, 0, 0.01]})"), false);
  agrees(flag(kWind, "u_min", "", R"(, "motion": {"swing": [0.01, 0, 0]})"), true);
}

TEST(FlatnessHint, IsGivenToSheetsThatGravityPresses) {
  EXPECT_FALSE(is_hinted(flag("", "v_max"))) << "it hangs";
  EXPECT_TRUE(is_hinted(flag("", "v_min"))) << "it stands";
  EXPECT_FALSE(is_hinted(flag("", "u_min"))) << "a curtain at a wall";
  const std::string floor = R"(, "colliders": [{"shape": "plane", "center": [0, -1, 0]}])";
  const auto falling = [&](const char* v, const std::string& rest) {
    return parse_scene(R"({"cloths": [{"grid": {"points": [5, 5], "u": [1, 0, 0], "v": )" + std::string(v) +
                           "}}]" + rest + "}",
                       "scene", ".");
  };
  EXPECT_TRUE(is_hinted(falling("[0, 1, 0]", floor))) << "on its edge";
  EXPECT_FALSE(is_hinted(falling("[0, 1, 0.01]", floor)));
  EXPECT_FALSE(is_hinted(falling("[0, 0, 1]", floor))) << "lies down flat";
  EXPECT_FALSE(is_hinted(falling("[0, 1, 0]", ""))) << "into nothing";
}

}  // namespace
}  // namespace muslin

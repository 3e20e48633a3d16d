#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

// Parts of one cloth of another fabric: what closed forms say of each.

namespace muslin {
namespace {

constexpr double kLength = 1, kWidth = 0.1, kGravity = 9.81;
constexpr double kUpper[] = {40, 0.1}, kLower[] = {15, 0.3};  // warp [N/m], density [kg/m²]

/// A strip of two fabrics that hangs from its upper side: the lower half is a region.
Scene strip(const std::string& solver, const std::string& membrane, const std::string& region) {
  const auto fabric = [](const double(&of)[2]) {
    return fmt::format(R"({{"preset": "plain", "warp": {0}, "weft": {0}, "shear": 0, "poisson": 0, "bend": 0,
 "density": {1}, "damping": 0.02}})",
                       of[0], of[1]);
  };
  return parse_scene(fmt::format(R"({{"frame_time": 0.05, "damping": 3, {},
 "cloths": [{{"grid": {{"points": [21, 3], "size": [{}, {}], "origin": [0, 2, 0], "u": [0, -1, 0], "v": [1, 0, 0]}},
   "membrane": "{}", "fabric": {}, "regions": [{{{}, "fabric": {}}}], "pins": [{{"sides": ["u_min"]}}]}}]}})",
                                 solver, kLength, kWidth, membrane, fabric(kUpper), region, fabric(kLower)),
                     "scene", ".");
}

struct Sag {
  double upper, lower;  // stretch of each half [m]
};

/// By the tension T(s) over the stiffness, of linear threads: T is the weight below s a width.
Sag exact() {
  const double half = kLength / 2, below = kLower[1] * kGravity * half;
  return {(below * half + kUpper[1] * kGravity * half * half / 2) / kUpper[0],
          kLower[1] * kGravity * half * half / 2 / kLower[0]};
}

Sag measured(const Scene& scene) {
  Simulation simulation(scene);
  for (int frame = 0; frame < 160; ++frame) simulation.step();
  const Points x = simulation.positions();
  const int middle = 21 + 10, end = 21 + 20;  // of the middle thread
  return {x(1, 21) - x(1, middle) - kLength / 2, x(1, middle) - x(1, end) - kLength / 2};
}

class Regions : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Families, Regions,
    testing::Values(R"("solver": {"family": "explicit"})", R"("solver": {"family": "position",
 "position": {"substeps": 60}})",
                    R"("solver": {"family": "implicit", "implicit": {"iterations": 400}})",
                    R"("solver": {"family": "baraff_witkin"})", R"("solver": {"family": "newton"})",
                    R"("solver": {"family": "projective"})",
                    R"("solver": {"family": "block_descent", "block_descent": {"iterations": 100}})",
                    R"("solver": {"family": "quasi_newton"})"));

TEST_P(Regions, EachPartOfAStripOfTwoFabricsSagsAsItsOwnSays) {
  // xpbd leaves triangles soft, of one fabric as of two: with 60 substeps twice the sag, with 400 a quarter
  // more
  const bool is_xpbd = std::string(GetParam()).find("position") != std::string::npos;
  for (const char* membrane : {"springs", "baraff_witkin"}) {
    if (is_xpbd && std::string(membrane) != "springs") continue;
    for (const char* region : {R"("box": {"min": [-1, 0, -1], "max": [1, 1.5001, 1]})",
                               R"("uv_box": {"min": [0.4999, 0], "max": [1, 1]})"}) {
      const Sag sag = measured(strip(GetParam(), membrane, region)), expected = exact();
      EXPECT_NEAR(sag.upper, expected.upper, 0.005 * expected.upper) << membrane << region;
      EXPECT_NEAR(sag.lower, expected.lower, 0.005 * expected.lower) << membrane << region;
    }
  }
}

TEST(RegionsOfOneFabric, ChangeNothing) {
  for (const char* membrane : {"springs", "baraff_witkin", "stvk"}) {
    Scene plain = strip(R"("solver": {"family": "newton"})", membrane,
                        R"("box": {"min": [-1, 0, -1], "max": [1, 1.5001, 1]})");
    Scene same = plain;
    same.cloths[0].regions[0].fabric = same.cloths[0].fabric;
    plain.cloths[0].regions.clear();
    Simulation one(plain), other(same);
    for (int frame = 0; frame < 10; ++frame) {
      one.step();
      other.step();
    }
    EXPECT_LT((one.positions() - other.positions()).cwiseAbs().maxCoeff(), 1e-12) << membrane;
  }
}

// Two halves of a sheet on a slope of tan 0.4: one has friction 0.2 and the other 0.9; apart, they would
// slide and stay. As one, sheets of twice the mean coefficient stay, and of a lower mean slide.
TEST(RegionsOfFriction, ASheetSlidesByTheMeanOfItsParts) {
  const auto travel = [](const std::string& family, double first, double second) {
    Scene scene = parse_scene(fmt::format(R"({{"solver": {{"family": "{}"}}, "cloths": [{{
 "grid": {{"points": [9, 9], "size": [0.2, 0.2], "origin": [0, 0.0003, 0]}}, "fabric": "cotton", "membrane": "baraff_witkin",
 "regions": [{{"uv_box": {{"min": [0, 0], "max": [0.2, 0.2]}}, "friction": {}}},
             {{"uv_box": {{"min": [0.1, 0], "max": [0.2, 0.2]}}, "friction": {}}}]}}],
 "colliders": [{{"name": "floor", "shape": "plane", "friction": 0}}]}})",
                                          family, first, second),
                              "scene", ".");
    scene.gravity = 9.81 * Vec3(0.4, -1, 0).normalized();
    Simulation simulation(scene);
    for (int frame = 0; frame < 30; ++frame) simulation.step();
    return simulation.positions().row(0).mean() - 0.1;
  };
  for (const char* family : {"newton", "quasi_newton", "position"}) {
    EXPECT_LT(travel(family, 0.3, 0.9), 0.01) << family << ": 0.6 in the mean holds";
    const double slope = 9.81 / std::sqrt(1.16);
    EXPECT_NEAR(travel(family, 0.1, 0.1), 0.5 * slope * (0.4 - 0.1) * 0.25, 0.04) << family;
  }
}

}  // namespace
}  // namespace muslin

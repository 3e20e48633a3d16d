#include "muslin/solver/position/quality.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/geometry/shapes.h"
#include "muslin/io/scene_json.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

/// A sheet of 2 m that hangs by two corners, hardly elastic, as in bench/race.
Scene hang(int points, double stiffness = 1e5) {
  const std::string count = "[" + std::to_string(points) + ", " + std::to_string(points) + "]";
  Scene scene = read_scene(MUSLIN_SCENES "/hang.json", {{"/cloths/0/grid/points", count}});
  Fabric& fabric = scene.cloths[0].fabric;
  fabric.warp = fabric.weft = stiffness;
  fabric.shear = stiffness / 3;
  scene.solver.position.substeps.reset();
  return scene;
}

Scene hang_mesh(int points) {
  Scene scene = hang(points);
  IrregularSheet sheet;
  sheet.points = points;
  sheet.size = 2;
  Cloth& cloth = scene.cloths[0];
  cloth.grid.reset();
  cloth.mesh.emplace();
  cloth.mesh->mesh = std::make_shared<const Mesh>(make_irregular_sheet(sheet));
  Pin corners;
  corners.vertices = {0, points - 1};
  cloth.pins = {corners};
  return scene;
}

/// The strain of 99 of 100 edges that nine frames of ten keep below.
double strain(const Scene& scene) {
  Simulation simulation(scene);
  std::vector<double> percentiles;
  for (int f = 0; f < 150; ++f) percentiles.push_back(simulation.step().strain_p99);
  std::nth_element(percentiles.begin(), percentiles.begin() + 134, percentiles.end());
  return percentiles[134];
}

TEST(Quality, IsReachedByGridsAndMeshes) {
  for (const PositionQuality quality : {PositionQuality::strain_5, PositionQuality::strain_2,
                                        PositionQuality::strain_1, PositionQuality::strain_half})
    for (Scene scene : {hang(21), hang(48), hang_mesh(17)}) {
      scene.solver.position.quality = quality;
      EXPECT_LT(strain(scene), allowed_strain(quality))
          << name_of(quality) << ", " << describe_effort(Simulation(scene).settings().position);
    }
}

// A rule that took far too many substeps would reach everything.
TEST(Quality, CostsNoMoreThanTwice) {
  for (const PositionQuality quality : {PositionQuality::strain_1, PositionQuality::strain_half}) {
    Scene scene = hang(48);
    scene.solver.position.quality = quality;
    const PositionSettings chosen = Simulation(scene).settings().position;
    scene.solver.position.quality.reset();
    scene.solver.position.path = chosen.path;
    scene.solver.position.coarse = chosen.coarse;
    scene.solver.position.substeps = chosen.steps() / 2;
    EXPECT_GT(strain(scene), allowed_strain(quality)) << describe_effort(chosen);
  }
}

TEST(Quality, TakesTheFastestPathUnlessTheSceneNamesOne) {
  Scene scene = hang(24);
  scene.solver.position.quality = PositionQuality::strain_1;
  EXPECT_EQ(Simulation(scene).settings().position.path, PositionPath::lines);
  EXPECT_EQ(Simulation(hang_mesh(9)).settings().position.path, std::nullopt) << "no quality, no choice";
  scene.solver.position.path = PositionPath::general;
  Simulation general(scene);
  EXPECT_EQ(general.settings().position.path, PositionPath::general);
  EXPECT_EQ(general.step().step.path, PositionPath::general);
  EXPECT_EQ(general.substeps(), general.settings().position.steps());
}

// Coarse nets hold lengths at rest, which soft cloth exceeds by right.
TEST(Quality, NetsAreForClothThatHardlyStretches) {
  for (const double stiffness : {1e5, 1e3}) {
    Scene scene = hang(32, stiffness);
    scene.solver.position.quality = PositionQuality::strain_2;
    EXPECT_EQ(Simulation(scene).settings().position.coarse, stiffness == 1e5);
  }
}

TEST(Quality, WantsMoreOfLargeClothAndLongFrames) {
  const auto substeps = [](Scene scene) {
    scene.solver.position.quality = PositionQuality::strain_1;
    return Simulation(scene).substeps();
  };
  EXPECT_LT(substeps(hang(16)), substeps(hang(64)));
  Scene slow = hang(32);
  slow.frame_time *= 2;
  EXPECT_LT(substeps(hang(32)), substeps(slow));
}

TEST(Quality, RefusesWhatItChooses) {
  const auto refusal = [](const std::string& settings) {
    try {
      parse_scene(
          R"({"cloths": [{"grid": {}}], "solver": {"family": "position", "position": )" + settings + "}}",
          "scene.json", ".");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(R"({"quality": "strain 1 %"})"), "");
  EXPECT_NE(
      refusal(R"({"quality": "strain 1 %", "substeps": 20})")
          .find(R"(/solver/position/substeps: is chosen by quality ("strain 1 %"), which must be absent )"
                "where substeps is given, got 20"),
      std::string::npos)
      << refusal(R"({"quality": "strain 1 %", "substeps": 20})");
  EXPECT_NE(refusal(R"({"quality": "strain 1 %", "iterations": 3})").find("/iterations"), std::string::npos);
  EXPECT_NE(refusal(R"({"quality": "strain 1 %", "coarse": true})").find("/coarse"), std::string::npos);
  EXPECT_NE(refusal(R"({"quality": "strain 1 %", "method": "pbd"})").find("is for xpbd"), std::string::npos);
  EXPECT_NE(refusal(R"({"quality": "strain 3 %"})").find("unknown name \"strain 3 %\""), std::string::npos);
}

}  // namespace
}  // namespace muslin

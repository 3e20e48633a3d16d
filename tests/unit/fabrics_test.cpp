#include "muslin/model/fabrics.h"

#include <gtest/gtest.h>

#include <set>

#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"
#include "muslin/model/model.h"
#include "muslin/simulation.h"

namespace muslin {
namespace {

Cloth handkerchief() {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {5, 5};
  cloth.grid->size = {0.4, 0.4};
  cloth.membrane = Membrane::baraff_witkin;
  return cloth;
}

std::string words(const Cloth& cloth) {
  Scene scene;
  scene.cloths = {cloth};
  std::string all;
  for (const std::string& warning : build_model(scene).warnings) all += warning + "\n";
  return all;
}

TEST(Fabrics, AllHaveNamesSourcesAndNumbersOfCloth) {
  std::set<std::string> names;
  for (const auto& [fabric, source, drape] : fabrics()) {
    EXPECT_TRUE(names.insert(fabric.preset).second) << fabric.preset;
    EXPECT_NE(source.find(fabric.damping == 0 ? "without damping" : "damping: a common value, not measured"),
              std::string::npos)
        << source;
    EXPECT_TRUE(drape && *drape > 0 && *drape < 100) << fabric.preset;
    Cloth cloth = handkerchief();
    cloth.fabric = fabric;
    EXPECT_EQ(words(cloth), "");
    Scene scene;
    scene.cloths = {cloth};
    EXPECT_TRUE(find_problems(scene).empty()) << fabric.preset;
  }
}

// E h/(1 − ν²), G h and E h³/12(1 − ν²), by hand.
TEST(Fabrics, IsotropicNumbersFollowFromThePlate) {
  const Fabric& cotton = find_fabric("cotton_plate")->fabric;
  EXPECT_NEAR(*cotton.density, 0.1503, 1e-4);
  EXPECT_NEAR(*cotton.warp, 277.46, 0.01);
  EXPECT_NEAR(*cotton.shear, 105.02, 0.01);
  EXPECT_NEAR(*cotton.bend, 2.338e-6, 1e-9);
  EXPECT_EQ(cotton.poisson, 0.243);
  EXPECT_NEAR(2 * *cotton.shear, *cotton.warp * (1 - *cotton.poisson), 1e-9);
}

// D = ρ g c³ by hand: 0.1503 kg/m² · 9.81 m/s² · (20 mm)³. In its plane cotton is the plate.
TEST(Fabrics, ClothBendsByItsBendingLength) {
  const Fabric &cotton = find_fabric("cotton")->fabric, &plate = find_fabric("cotton_plate")->fabric;
  EXPECT_NEAR(*cotton.bend, 1.1795e-5, 1e-8);
  EXPECT_NEAR(bending_length(cotton), 0.020, 1e-9);
  EXPECT_NEAR(bending_length(find_fabric("wool")->fabric), 0.018, 1e-9);
  EXPECT_EQ(cotton.warp, plate.warp);
  EXPECT_EQ(cotton.shear, plate.shear);
  EXPECT_EQ(cotton.density, plate.density);
  Fabric fabric = cotton;
  fabric.bend_weft = *cotton.bend / 64;  // the mean of both is an eighth
  EXPECT_NEAR(bending_length(fabric), 0.010, 1e-9);
}

// Plain cotton, measured: 68.4 % [Gan 1991]; 60 to 76 over weaves.
TEST(Fabrics, TheFirstIsCottonThatDrapesLikeCotton) {
  EXPECT_EQ(fabrics().front().fabric.preset, "cotton");
  ASSERT_TRUE(fabrics().front().drape);
  EXPECT_GT(*fabrics().front().drape, 60);
  EXPECT_LT(*fabrics().front().drape, 76);
}

TEST(Fabrics, FittedNumbersAreModuliTimesThickness) {
  const Fabric& denim = find_fabric("denim_stiff")->fabric;
  EXPECT_NEAR(*denim.density, 0.264, 1e-9);
  EXPECT_NEAR(*denim.warp, 3163.4, 0.1);
  EXPECT_NEAR(*denim.weft, 5959.1, 0.1);
  EXPECT_NEAR(*denim.shear, 807.8, 0.1);
  EXPECT_NEAR(*denim.poisson, 0.6863, 1e-3);
  EXPECT_NEAR(*denim.bend, 5.865e-5, 1e-8);
}

// --- presets in code and in scenes -----------------------------------------------------------------

Scene scarf(const Fabric& fabric) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.grid = Grid{.points = {6, 6}};
  cloth.fabric = fabric;
  cloth.membrane = Membrane::baraff_witkin;
  cloth.pins.emplace_back().grid = {{0, 0}};
  scene.solver.family = "position";
  scene.solver.position.substeps = 4;
  return scene;
}

// What a run makes of a fabric: the mass [kg], and the state after some frames.
std::pair<double, std::uint64_t> outcome(const Scene& scene) {
  Simulation simulation(scene);
  for (int frame = 0; frame < 5; ++frame) simulation.step();
  return {simulation.model().mass.sum(), hash(simulation.state())};
}

std::pair<double, std::uint64_t> outcome_of_json(const std::string& fabric) {
  const std::string text = R"({"cloths": [{"grid": {"points": [6, 6]}, "membrane": "baraff_witkin",
      "pins": [{"grid": [[0, 0]]}], "fabric": )" +
                           fabric + R"(}],
      "solver": {"family": "position", "position": {"substeps": 4}}})";
  return outcome(parse_scene(text, "scarf.json", "."));
}

TEST(Fabrics, PresetsGiveTheSameClothFromCodeAndFromScenes) {
  Fabric fabric;
  fabric.preset = "denim";
  const auto denim = outcome(scarf(fabric));
  EXPECT_NEAR(denim.first, 0.324, 1e-9) << "1 m2 of 0.324 kg/m2";
  EXPECT_EQ(denim, outcome_of_json(R"("denim")"));
  EXPECT_EQ(denim, outcome_of_json(R"({"preset": "denim"})"));
  EXPECT_EQ(denim, outcome(scarf(find_fabric("denim")->fabric))) << "all of its numbers written out";
}

TEST(Fabrics, WhatIsWrittenBesideAPresetStands) {
  Fabric fabric;
  fabric.density = 0.15;  // before the preset, and as in the fabric that names none
  fabric.damping = 0;
  fabric.preset = "denim";
  const auto heavy = outcome(scarf(fabric));
  EXPECT_NEAR(heavy.first, 0.15, 1e-9);
  EXPECT_EQ(heavy, outcome_of_json(R"({"preset": "denim", "density": 0.15, "damping": 0})"));
  fabric.damping.reset();
  EXPECT_NE(heavy.second, outcome(scarf(fabric)).second);
}

TEST(Fabrics, WithoutAPresetArePlain) {
  Fabric plain;
  plain.preset = "plain";
  EXPECT_EQ(outcome(scarf(Fabric())), outcome(scarf(plain)));
  EXPECT_EQ(outcome(scarf(Fabric())), outcome_of_json("{}"));
}

TEST(Fabrics, UnknownPresetsAreRefusedWithTheNearestName) {
  Fabric fabric;
  fabric.preset = "demin";
  try {
    resolved(fabric);
    ADD_FAILURE() << "demin is no fabric";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "unknown fabric \"demin\"; did you mean \"denim\"?");
  }
  EXPECT_THROW(Simulation{scarf(fabric)}, Error);
}

// --- doubts ----------------------------------------------------------------------------------------

TEST(Doubts, NameWhatLooksLikeAWrongUnit) {
  const auto with = [](auto change) {
    Cloth cloth = handkerchief();
    change(cloth);
    return words(cloth);
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != text.npos;
  };
  EXPECT_EQ(with([](Cloth&) {}), "");
  EXPECT_PRED2(has, with([](Cloth& c) { c.fabric.density = 150; }),
               "a density of 150 kg/m^2 is that of 19 mm of steel");
  EXPECT_PRED2(has, with([](Cloth& c) { c.fabric.density = 0.0001; }),
               "a density of 0.0001 kg/m^2 is lighter");
  EXPECT_PRED2(has, with([](Cloth& c) { c.fabric.thickness = 0.3; }), "a thickness of 0.3 m");
  EXPECT_PRED2(has, with([](Cloth& c) { c.grid->size = {400, 400}; }), "is 400 m large");
  EXPECT_PRED2(has, with([](Cloth& c) { c.grid->size = {2e-5, 0.4}; }), "edge of 5e-06 m");
  EXPECT_PRED2(has, with([](Cloth& c) { c.grid->size = {5e-4, 5e-4}; }), "shorter than its thickness");
  EXPECT_PRED2(has, with([](Cloth& c) { c.fabric.bend = 1; }), "a bending rigidity of 1 N m");
  EXPECT_EQ(with([](Cloth& c) {
              c.fabric.density = 150;
              c.vertex_mass = 0.01;
            }),
            "")
      << "the density is not used";
  EXPECT_PRED2(has, with([](Cloth& c) { c.vertex_mass = 0.16; }),
               "a density of 25 kg/m^2 is that of 3.2 mm of steel");
  EXPECT_EQ(with([](Cloth& c) {
              c.vertex_mass = 0.16;
              c.membrane.reset();
              c.springs.emplace().structural = 5000;
            }),
            "")
      << "an exercise, whose springs suit its masses";
}

}  // namespace
}  // namespace muslin

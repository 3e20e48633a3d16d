#include "muslin/model/fabrics.h"

#include <gtest/gtest.h>

#include <set>

#include "muslin/model/model.h"

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
    EXPECT_NE(source.find("damping: a common value, not measured"), std::string::npos) << source;
    EXPECT_TRUE(!drape || (*drape > 0 && *drape < 100)) << fabric.preset;
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
  EXPECT_NEAR(cotton.density, 0.1503, 1e-4);
  EXPECT_NEAR(cotton.warp, 277.46, 0.01);
  EXPECT_NEAR(cotton.shear, 105.02, 0.01);
  EXPECT_NEAR(cotton.bend, 2.338e-6, 1e-9);
  EXPECT_EQ(cotton.poisson, 0.243);
  EXPECT_NEAR(2 * cotton.shear, cotton.warp * (1 - cotton.poisson), 1e-9);
}

// D = ρ g c³ by hand: 0.1503 kg/m² · 9.81 m/s² · (20 mm)³. In its plane cotton is the plate.
TEST(Fabrics, ClothBendsByItsBendingLength) {
  const Fabric &cotton = find_fabric("cotton")->fabric, &plate = find_fabric("cotton_plate")->fabric;
  EXPECT_NEAR(cotton.bend, 1.1795e-5, 1e-8);
  EXPECT_NEAR(bending_length(cotton), 0.020, 1e-9);
  EXPECT_NEAR(bending_length(find_fabric("wool")->fabric), 0.018, 1e-9);
  EXPECT_EQ(cotton.warp, plate.warp);
  EXPECT_EQ(cotton.shear, plate.shear);
  EXPECT_EQ(cotton.density, plate.density);
  Fabric fabric = cotton;
  fabric.bend_weft = cotton.bend / 64;  // the mean of both is an eighth
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
  EXPECT_NEAR(denim.density, 0.264, 1e-9);
  EXPECT_NEAR(denim.warp, 3163.4, 0.1);
  EXPECT_NEAR(denim.weft, 5959.1, 0.1);
  EXPECT_NEAR(denim.shear, 807.8, 0.1);
  EXPECT_NEAR(denim.poisson, 0.6863, 1e-3);
  EXPECT_NEAR(denim.bend, 5.865e-5, 1e-8);
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
  EXPECT_PRED2(has, with([](Cloth& c) { c.fabric.density = 150; }), "a density of 150 kg/m^2 is a rug");
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
  EXPECT_PRED2(has, with([](Cloth& c) { c.vertex_mass = 0.16; }), "a density of 25 kg/m^2 is a rug");
}

}  // namespace
}  // namespace muslin

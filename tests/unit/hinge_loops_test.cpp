#include "muslin/energy/hinge_loops.h"

#include <gtest/gtest.h>

#include "muslin/core/random.h"
#include "muslin/geometry/sheet.h"
#include "muslin/simulation.h"

// Loops over hinges say what the elements say one by one, of a sheet that is curved at rest.

namespace muslin {
namespace {

class HingeLoops : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }

  HingeLoops() {
    Mesh roof = make_sheet({9, 7}, Vec3::Zero(), Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating);
    roof.positions.row(1) = roof.positions.row(0).cwiseAbs2();
    Scene scene;
    Cloth cloth;
    cloth.mesh = MeshFile();
    cloth.mesh->mesh = std::make_shared<const Mesh>(roof);
    scene.cloths = {cloth};
    const Model model = Simulation(scene).model();
    x = model.start;
    for (int v = 0; v < x.cols(); ++v)
      x.col(v) += 0.02 * Vec3(random_unit(1, v, 0), random_unit(1, v, 1), random_unit(1, v, 2));

    // Damping changes stiffness and rest element by element
    DihedralEnergy elastic = model.energies.dihedral;
    for (int e = 0; e < elastic.size(); ++e) elastic.edit().damping[e] = 0.01 * (e % 5);
    damp(elastic, model.start, 0.02, energy);
  }

  Points x;
  DihedralEnergy energy;
};

TEST_F(HingeLoops, FindEveryHingeOnceWithItsTwoElements) {
  const PlateHinges& hinges = energy.shared();
  EXPECT_EQ(energy.size(), 96);
  EXPECT_EQ(hinges.size(), (3 * 96 - 28) / 2);  // of 28 edges at the border nothing bends
  int borders = 0;
  for (int e = 0; e < energy.size(); ++e)
    for (int k = 0; k < 3; ++k) {
      const int h = hinges.of_element[e][k];
      borders += h < 0;
      EXPECT_EQ(h < 0, energy.shapes()[e].is_border[k]);
      if (h < 0) continue;
      EXPECT_TRUE(hinges.places[h][0] == 3 * e + k || hinges.places[h][1] == 3 * e + k);
    }
  EXPECT_EQ(borders, 28);
}

TEST_F(HingeLoops, SumEnergyAndGradientOfTheElements) {
  double value = 0;
  Points gradient = Points::Zero(3, x.cols());
  for (int e = 0; e < energy.size(); ++e) {
    const Local<6> place = gather(x, energy.vertices(e)), slope = energy[e].gradient(place);
    value += energy[e].value(place);
    for (int k = 0; k < 6; ++k) gradient.col(energy.vertices(e)[k]) += slope.col(k);
  }
  Scratch scratch;
  Points found = Points::Zero(3, x.cols()), alone = found;
  EXPECT_NEAR(total_value(energy, x), value, 1e-12 * value);
  EXPECT_NEAR(add_value_and_gradient(energy, x, scratch, found), value, 1e-12 * value);
  add_gradient(energy, x, scratch, alone);
  EXPECT_LT((found - gradient).norm(), 1e-12 * gradient.norm());
  EXPECT_EQ(alone, found);
  EXPECT_GT(value, 0);
}

TEST_F(HingeLoops, HaveTheSameBitsForAnyNumberOfThreads) {
  Scratch scratch;
  Points one = Points::Zero(3, x.cols()), three = one;
  set_threads(1);
  const double value = add_value_and_gradient(energy, x, scratch, one);
  set_threads(3);
  EXPECT_EQ(add_value_and_gradient(energy, x, scratch, three), value);
  EXPECT_EQ(one, three);
}

}  // namespace
}  // namespace muslin

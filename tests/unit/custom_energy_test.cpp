#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "muslin/core/check.h"
#include "muslin/energy/custom.h"
#include "muslin/simulation.h"
#include "refusal.h"

// Energies from outside: held against the library's own spring, and refused where they do not fit.

namespace muslin {
namespace {

constexpr double kStiffness = 300;  // [N/m]

// The library's spring, written as a user would.
struct UserSpring : CustomEnergy {
  explicit UserSpring(double rest) : length(rest) {}
  double value(int, const ElementColumns& x) const override {
    return kStiffness / 2 * std::pow((x.col(1) - x.col(0)).norm() - length, 2);
  }
  ElementColumns gradient(int, const ElementColumns& x) const override {
    const Vec3 d = x.col(1) - x.col(0), force = kStiffness * (d.norm() - length) * d.normalized();
    ElementColumns g(3, 2);
    g << -force, force;
    return g;
  }
  ElementHessian hessian(int, const ElementColumns& x) const override {
    const Vec3 d = x.col(1) - x.col(0), u = d.normalized();
    const Mat3 along = u * u.transpose();
    const Mat3 block = kStiffness * (along + (1 - length / d.norm()) * (Mat3::Identity() - along));
    ElementHessian h(6, 6);
    h << block, -block, -block, block;
    return h;
  }
  bool is_square() const override { return true; }
  double length;
};

// The springs of a small hanging grid, or the same from outside.
Scene hanging(bool from_outside) {
  Scene scene;
  Cloth& cloth = scene.cloths.emplace_back();
  cloth.grid = Grid{.points = {4, 4}, .size = {0.3, 0.3}};
  cloth.vertex_mass = 0.002;
  cloth.pins.emplace_back().grid = {{0, 0}, {3, 0}};
  cloth.springs.emplace();
  const auto connect = [&](int a, int b) {
    if (from_outside) scene.energies[0].stencils.push_back({a, b});
  };
  if (!from_outside) cloth.springs->structural = kStiffness;
  if (from_outside) scene.energies.push_back({std::make_shared<UserSpring>(0.1), {}});
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      if (i < 3) connect(4 * j + i, 4 * j + i + 1);
      if (j < 3) connect(4 * j + i, 4 * j + i + 4);
    }
  return scene;
}

Points after(Scene scene, const std::string& family, int frames) {
  scene.solver.family = family;
  scene.solver.position.path = PositionPath::general;  // the one that runs energies from outside
  Simulation simulation(scene);
  for (int f = 0; f < frames; ++f) EXPECT_NE(simulation.step().step.status, Status::diverged) << family;
  return simulation.positions();
}

TEST(CustomEnergy, MovesAsTheSpringsOfTheLibraryDo) {
  for (const char* family : {"explicit", "implicit", "newton", "block_descent", "quasi_newton", "projective",
                             "position", "baraff_witkin"}) {
    const Points own = after(hanging(true), family, 20), built_in = after(hanging(false), family, 20);
    EXPECT_GT((built_in.row(1).maxCoeff() - built_in.row(1).minCoeff()), 0.1) << family;
    EXPECT_LT((own - built_in).cwiseAbs().maxCoeff(), 2e-4) << family;
  }
}

TEST(CustomEnergy, HasTheBoundOfASpringWhereNobodyWritesOne) {
  const Model own = build_model(hanging(true)), built_in = build_model(hanging(false));
  ASSERT_EQ(own.energies.custom.size(), built_in.energies.springs.size());
  const Pairs<4> bound = own.energies.custom[0].majorant();
  EXPECT_LT((bound.topLeftCorner<2, 2>() - built_in.energies.springs[0].majorant()).norm(),
            1e-9 * kStiffness);
  EXPECT_EQ(bound.rightCols<2>().norm() + bound.bottomRows<2>().norm(), 0);
}

// A spring to a place: its Hessian sees where all vertices are together.
struct Nail : CustomEnergy {
  double value(int, const ElementColumns& x) const override { return x.squaredNorm() / 2; }
  ElementColumns gradient(int, const ElementColumns& x) const override { return x; }
  ElementHessian hessian(int, const ElementColumns& x) const override {
    return ElementHessian::Identity(x.size(), x.size());
  }
};

TEST(CustomEnergy, BoundsWhatHoldsToPlacesByItsEigenvalue) {
  ElementColumns x(3, 3);
  x.setZero();
  EXPECT_EQ((Nail().majorant(0, x) - ElementPairs::Identity(3, 3)).norm(), 0);
}

TEST(CustomEnergy, LosesItsNegativeCurvature) {
  ElementColumns x(3, 2);
  x << 0, 0.05, 0, 0, 0, 0;  // compressed
  const UserSpring spring(0.1);
  ElementHessian expected = ElementHessian::Zero(6, 6);
  expected(0, 0) = expected(3, 3) = kStiffness;
  expected(0, 3) = expected(3, 0) = -kStiffness;
  EXPECT_LT((spring.hessian_psd(0, x) - expected).norm(), 1e-12 * kStiffness);
}

TEST(CustomEnergy, IsRefusedByPositionWithoutACondition) {
  Scene scene = hanging(false);
  scene.energies = {{std::make_shared<Nail>(), {{5}}}};
  for (const char* family : {"implicit", "quasi_newton"}) {
    scene.solver.family = family;
    EXPECT_EQ(refusal(scene), "");
  }
  scene.solver.family = "position";
  const std::string words = refusal(scene);
  EXPECT_EQ(words.find("/solver/family: position moves vertices by conditions C"), 0u) << words;
  EXPECT_NE(words.find("quasi_newton"), words.npos) << words;
  EXPECT_EQ(words.find("position,"), words.npos) << words;
}

TEST(CustomEnergy, IsRefusedWhereItDoesNotFit) {
  const auto with = [](std::shared_ptr<const CustomEnergy> energy, std::vector<std::vector<int>> stencils) {
    Scene scene = hanging(false);
    scene.energies = {{std::move(energy), std::move(stencils)}};
    return refusal(scene);
  };
  const auto spring = std::make_shared<UserSpring>(0.1);
  EXPECT_EQ(with(spring, {{0, 1}}), "");
  EXPECT_EQ(with(nullptr, {}), "/energies/0: has no energy");
  EXPECT_EQ(with(spring, {{0, 1}, {}}), "/energies/0/stencils/1: expected 1 to 4 vertices, got 0");
  EXPECT_EQ(with(spring, {{0, 1, 2, 3, 4}}), "/energies/0/stencils/0: expected 1 to 4 vertices, got 5");
  EXPECT_EQ(with(spring, {{0, 16}}), "/energies/0/stencils/0: there is no vertex 16 among 16");
  EXPECT_EQ(with(spring, {{-1, 1}}), "/energies/0/stencils/0: there is no vertex -1 among 16");
  EXPECT_EQ(with(spring, {{3, 3}}), "/energies/0/stencils/0: names vertex 3 twice");
  EXPECT_EQ(with(spring, {{0, 1, 2}}), "/energies/0/stencils/0: its gradient must be 3x3, not 3x2");
}

TEST(CustomEnergy, IsOneMoreThingThatAStateMustFit) {
  Scene scene = hanging(true);
  Simulation simulation(scene);
  const std::string saved = simulation.saved();
  scene.energies = {{std::make_shared<UserSpring>(0.11), scene.energies[0].stencils}};
  Simulation other(scene);
  EXPECT_THROW(other.load_saved(saved), Error);
}

}  // namespace
}  // namespace muslin

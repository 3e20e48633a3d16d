#include "muslin/model/measure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {
namespace {

Model sheet(int columns, int rows) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {columns, rows};
  cloth.velocity = {0.5, 2, -1};
  Scene scene;
  scene.cloths = {cloth};
  scene.damping = 0.7;
  return build_model(scene);
}

RC_GTEST_PROP(EdgeStrain, IsWhatSortingSays, ()) {
  const Model model = sheet(*rc::gen::inRange(2, 15), *rc::gen::inRange(2, 15));
  std::srand(*rc::gen::inRange(0, 1000));
  const Points x = model.start + 0.2 * Points::Random(3, model.vertex_count());
  std::vector<double> strain;
  double mean = 0;
  for (size_t e = 0; e < model.edges.size(); ++e) {
    const auto [a, b] = model.edges[e];
    strain.push_back((x.col(a) - x.col(b)).norm() / (model.start.col(a) - model.start.col(b)).norm() - 1);
    mean += std::abs(strain.back()) / static_cast<double>(model.edges.size());
  }
  std::sort(strain.begin(), strain.end());
  // Nearest rank: the smallest value that at least 99 % of the values do not exceed.
  const auto rank = std::find_if(strain.begin(), strain.end(), [&](double s) {
    const auto below = std::upper_bound(strain.begin(), strain.end(), s) - strain.begin();
    return 100 * below >= 99 * static_cast<long>(strain.size());
  });
  const Strain measured = edge_strain(model, x);
  RC_ASSERT(std::abs(measured.max - strain.back()) < 1e-14);
  RC_ASSERT(std::abs(measured.p99 - *rank) < 1e-14);
  RC_ASSERT(std::abs(measured.mean - mean) < 1e-12);
}

TEST(EdgeStrain, OfABrokenClothIsNotANumber) {
  const Model model = sheet(9, 9);
  for (const int broken : {0, 40, 80}) {
    Points x = model.start;
    x(1, broken) = std::numeric_limits<double>::quiet_NaN();
    const Strain strain = edge_strain(model, x);
    EXPECT_FALSE(std::isfinite(strain.max)) << broken;
    EXPECT_FALSE(std::isfinite(strain.p99)) << broken;
    EXPECT_FALSE(std::isfinite(strain.mean)) << broken;
  }
}

TEST(Energy, OfMovingAndLiftedClothIsThatOfItsMasses) {
  const Model model = sheet(5, 4);
  std::srand(3);
  const Points x = Points::Random(3, 20), v = Points::Random(3, 20);
  double kinetic = 0, potential = 0;
  Vec3 center = Vec3::Zero();
  for (int i = 0; i < 20; ++i) {
    kinetic += model.mass[i] * (v.col(i).dot(v.col(i))) / 2;
    potential += model.mass[i] * 9.81 * x(1, i);
    center += model.mass[i] / model.mass.sum() * x.col(i);
  }
  EXPECT_NEAR(kinetic_energy(model, v), kinetic, 1e-12);
  EXPECT_NEAR(potential_energy(model, x), potential, 1e-12);
  EXPECT_LT((center_of_mass(model, x) - center).norm(), 1e-12);
}

/// v̇ = g − c v by many steps of the midpoint rule.
Vec3 integrate(const Vec3& start, const Vec3& velocity, const Vec3& gravity, double damping, double time) {
  constexpr int kSteps = 20000;
  const double h = time / kSteps;
  Vec3 x = start, v = velocity;
  for (int k = 0; k < kSteps; ++k) {
    const Vec3 middle = v + h / 2 * (gravity - damping * v);
    x += h * (v + h / 2 * (gravity - damping * v));
    v += h * (gravity - damping * middle);
  }
  return x;
}

TEST(FreeFall, SolvesItsEquation) {
  for (const double damping : {0.0, 1e-12, 1e-8, 1e-4, 0.7, 20.0}) {
    Model model = sheet(4, 3);
    model.damping = damping;
    const Vec3 start = center_of_mass(model, model.start);
    for (const double time : {0.0, 0.1, 3.0}) {
      const Vec3 expected = integrate(start, {0.5, 2, -1}, model.gravity, damping, time);
      EXPECT_LT((free_fall(model, time) - expected).norm(), 1e-6) << damping << " 1/s, " << time << " s";
    }
  }
}

TEST(FreeFall, IsClaimedOnlyOfFreeCloth) {
  EXPECT_TRUE(falls_freely(sheet(3, 3)));
  Model held = sheet(3, 3), blown = sheet(3, 3), pressed = sheet(3, 3);
  held.pins.push_back({0, Vec3::Ones(), Vec3::Zero(), 0});
  blown.wind.air_density = 1.2;
  pressed.wind.law = WindLaw::mosegaard;
  pressed.wind.pressure = {1, 0, 0};
  EXPECT_FALSE(falls_freely(held));
  EXPECT_FALSE(falls_freely(blown));
  EXPECT_FALSE(falls_freely(pressed));
}

}  // namespace
}  // namespace muslin

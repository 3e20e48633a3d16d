#include "muslin/model/forces.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "muslin/core/simd.h"
#include "muslin/model/wind/air_flow.h"

namespace muslin {
namespace {

Scene sheet(const std::array<int, 2>& points = {5, 4}) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = points;
  cloth.grid->size = {0.8, 0.6};
  Scene scene;
  scene.cloths = {cloth};
  scene.gravity.setZero();
  return scene;
}

/// Σ m a [N] of a step so short that nothing is weakened.
Vec3 total_force(const Model& model, const State& state) {
  return external_acceleration(model, model.script, state, 1e-12) * model.mass;
}

// --- gusts -----------------------------------------------------------------------------------------

Wind gusty() {
  Wind wind;
  wind.velocity = {3, 0, 1};
  wind.air_density = 1.2;
  wind.gust = 2;
  wind.gust_length = 1.5;
  return wind;
}

TEST(AirFlow, HasNoDivergence) {
  const AirFlow flow(gusty(), 42);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-5, 5);
  for (int k = 0; k < 50; ++k) {
    const Vec3 x(place(random), place(random), place(random));
    const double time = place(random), eps = 1e-5;
    double divergence = 0, steepest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 slope = (flow.velocity(x + eps * Vec3::Unit(axis), time) -
                          flow.velocity(x - eps * Vec3::Unit(axis), time)) /
                         (2 * eps);
      divergence += slope[axis];
      steepest = std::max(steepest, slope.norm());
    }
    EXPECT_LT(std::abs(divergence), 1e-7 * (1 + steepest)) << x.transpose();
  }
}

TEST(AirFlow, GustsHaveTheirRootMeanSquareAboutTheMean) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-500, 500);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const AirFlow flow(gusty(), seed);
    Vec3 sum = Vec3::Zero();
    double squares = 0;
    constexpr int kCount = 40000;
    for (int k = 0; k < kCount; ++k) {
      const Vec3 x(place(random), place(random), place(random));
      const Vec3 velocity = flow.velocity(x, place(random));
      sum += velocity / kCount;
      squares += (velocity - Vec3(3, 0, 1)).squaredNorm() / kCount;
    }
    EXPECT_LT((sum - Vec3(3, 0, 1)).norm(), 0.06);
    EXPECT_NEAR(std::sqrt(squares), 2, 0.04);
  }
  EXPECT_NE(AirFlow(gusty(), 1).velocity({0, 0, 0}, 0), AirFlow(gusty(), 2).velocity({0, 0, 0}, 0));
}

TEST(AirFlow, FollowsTheSine) {
  Wind wind = gusty();
  wind.velocity.setZero();
  const AirFlow flow(wind, 3);
  const AirWaves& waves = flow.waves();
  std::mt19937 random(4);
  std::uniform_real_distribution<double> place(-10, 10);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 x(place(random), place(random), place(random));
    const double time = place(random);
    Vec3 expected = Vec3::Zero();
    for (int w = 0; w < AirWaves::kCount; ++w) {
      const auto of_wave = [&](const AirWaves::Numbers(&numbers)[3]) {
        return Vec3(numbers[0][w], numbers[1][w], numbers[2][w]);
      };
      expected += std::sin(of_wave(waves.wave_vector).dot(x) + waves.rate[w] * time + waves.phase[w]) *
                  of_wave(waves.amplitude);
    }
    EXPECT_LT((flow.velocity(x, time) - expected).norm(), 1e-11);
  }
}

TEST(AirFlow, WithoutGustsIsTheMean) {
  Wind wind = gusty();
  wind.gust = 0;
  EXPECT_EQ(AirFlow(wind, 1).velocity({1, 2, 3}, 4), wind.velocity);
}

// --- forces ----------------------------------------------------------------------------------------

TEST(ExternalForces, StillVacuumLeavesGravity) {
  Scene scene = sheet();
  scene.gravity = {1, -2, 3};
  const Model model = build_model(scene);
  State state = initial_state(model);
  state.velocities.setRandom();
  for (int v = 0; v < model.vertex_count(); ++v)
    EXPECT_EQ(external_acceleration(model, model.script, state, 0.1).col(v), Vec3(1, -2, 3));
}

TEST(ExternalForces, AirAcrossASheetDragsItAsAPlate) {
  Scene scene = sheet();
  scene.wind.air_density = 1.2;
  scene.wind.drag = 1.1;
  scene.wind.lift = 0.7;
  scene.wind.velocity = {0, 3, 0};
  Model model = build_model(scene);
  const State state = initial_state(model);
  const double full = 0.5 * 1.2 * 0.48 * 9;  // ½ρAv²
  EXPECT_LT((total_force(model, state) - Vec3(0, 1.1 * full, 0)).norm(), 1e-9);

  model.script.wind.velocity = {3, 0, 0};  // along the sheet
  EXPECT_LT(total_force(model, state).norm(), 1e-12);

  // At 45°: drag along the flow, lift across it, towards the side the air pushes to.
  model.script.wind.velocity = 3 * Vec3(1, 1, 0).normalized();
  const double tilted = full * std::sqrt(0.5);
  const Vec3 along = Vec3(1, 1, 0).normalized(), across = Vec3(-1, 1, 0).normalized();
  EXPECT_NEAR(total_force(model, state).dot(along), 1.1 * tilted, 1e-9);
  EXPECT_NEAR(total_force(model, state).dot(across), 0.7 * tilted * std::sqrt(0.5), 1e-9);

  // Only motion relative to the air counts.
  State carried = state;
  carried.velocities = model.script.wind.velocity.replicate(1, model.vertex_count());
  EXPECT_LT(total_force(model, carried).norm(), 1e-12);
  model.script.wind.velocity.setZero();
  carried.velocities *= -1;
  EXPECT_NEAR(total_force(model, carried).dot(along), 1.1 * tilted, 1e-9);
}

TEST(ExternalForces, AStepNeverBringsClothBeyondTheSpeedOfTheAir) {
  for (const bool light : {false, true})
    for (const double h : {1e-3, 1.0 / 60, 1.0}) {
      Scene scene = sheet();
      scene.wind.air_density = 1.2;
      scene.wind.velocity = {0, 200, 0};
      if (light) scene.cloths[0].vertex_mass = 1e-6;  // a gram would be 20 000 times as much
      const Model model = build_model(scene);
      const Points gain = h * external_acceleration(model, model.script, initial_state(model), h);
      EXPECT_LE(gain.row(1).maxCoeff(), 200 * (1 + 1e-12)) << h << " s" << (light ? ", light" : "");
      EXPECT_GT(gain.row(1).minCoeff(), 0);
    }
}

TEST(ExternalForces, OfGustsAreThoseOfTheFormulaAndTheSameBitsAtEveryWidth) {
  Scene scene = sheet();
  scene.wind = gusty();
  scene.wind.drag = 1.1;
  scene.wind.lift = 0.7;
  const Model model = build_model(scene);
  State state = initial_state(model);
  std::srand(7);
  state.positions += 0.02 * Points::Random(3, model.vertex_count());
  state.velocities = 3 * Points::Random(3, model.vertex_count());
  state.time = 1.25;
  state.positions.col(model.triangles[3][1]) = state.positions.col(model.triangles[3][0]);  // without an area

  const double h = 1.0 / 60;
  const AirFlow flow(scene.wind, model.seed);
  Points expected = scene.gravity.replicate(1, model.vertex_count());
  for (size_t t = 0; t < model.triangles.size(); ++t) {
    const auto [a, b, c] = model.triangles[t];
    const Points &x = state.positions, &v = state.velocities;
    const Vec3 across = Vec3(x.col(b) - x.col(a)).cross(Vec3(x.col(c) - x.col(a)));
    if (across.norm() == 0) continue;
    const Vec3 u = flow.velocity((x.col(a) + x.col(b) + x.col(c)) / 3, state.time) -
                   (v.col(a) + v.col(b) + v.col(c)) / 3;
    const Vec3 normal = across.normalized() * (across.dot(u) < 0 ? -1 : 1);
    const Vec3 whole = 0.5 * 1.2 * across.norm() / 2 * normal.dot(u) *
                       (1.1 * u + 0.7 * (u.norm() * normal - normal.dot(u) * u.normalized()));
    const double part = h * whole.norm() / (model.triangle_mass[t] * u.norm());
    for (const int corner : {a, b, c})
      expected.col(corner) += whole / (3 * std::max(1.0, part)) / model.mass[corner];
  }

  const Points plain = [&] {
    limit_simd(Simd::plain);
    return external_acceleration(model, model.script, state, h);
  }();
  EXPECT_LT((plain - expected).norm(), 1e-12 * expected.norm());
  for (const Simd simd : {Simd::avx2, Simd::avx512}) {
    limit_simd(simd);
    EXPECT_EQ(external_acceleration(model, model.script, state, h), plain);
  }
}

TEST(ExternalForces, MosegaardsWindPushesEveryCornerByTwiceTheArea) {
  Scene scene = sheet();
  scene.wind.law = WindLaw::mosegaard;
  scene.wind.pressure = {0.3, -0.5, 0.2};
  const Model model = build_model(scene);
  State state = initial_state(model);
  std::srand(5);
  state.positions += 0.05 * Points::Random(3, model.vertex_count());
  Points expected = Points::Zero(3, model.vertex_count());
  for (const auto& triangle : model.triangles) {
    const auto corner = [&](int k) { return Vec3(state.positions.col(triangle[k])); };
    const Vec3 cross = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    for (const int v : triangle) expected.col(v) += cross * cross.normalized().dot(scene.wind.pressure);
  }
  const Points force = external_acceleration(model, model.script, state, 0.1) * model.mass.asDiagonal();
  EXPECT_LT((force - expected).norm(), 1e-12);
}

}  // namespace
}  // namespace muslin

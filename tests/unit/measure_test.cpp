#include "muslin/model/measure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/contact/vertices/gap.h"

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

// --- of every vertex ---------------------------------------------------------------------------------

/// A sheet in the plane z = 0, warp along x, of triangles or with bend springs.
Model flat_sheet(Membrane membrane, double bend, Diagonals diagonals = Diagonals::alternating) {
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {13, 11};
  cloth.grid->size = {0.6, 0.5};
  cloth.grid->v = Vec3::UnitY();
  cloth.grid->diagonals = diagonals;
  cloth.grid->jitter = 0.01;  // of the start, which is not the rest shape
  cloth.membrane = membrane;
  cloth.fabric.bend = bend;
  Scene scene;
  scene.cloths = {cloth};
  return build_model(scene);
}

/// Where a homogeneous deformation takes the rest shape, turned somehow.
Points deformed(const Model& model, const Mat3& deformation) {
  Points rest = model.start;
  rest.row(2).setZero();
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  return (turn * deformation * rest).colwise() + Vec3(1, -2, 0.5);
}

TEST(PrincipalStrain, OfHomogeneousDeformationsIsTheClosedForm) {
  const Model model = flat_sheet(Membrane::springs, 0);
  const auto strain = [&](const Mat3& deformation) {
    return principal_strain(model, deformed(model, deformation));
  };
  const auto expect_everywhere = [](const Scalars& values, double expected) {
    EXPECT_LT((values.array() - expected).abs().maxCoeff(), 1e-13);
  };
  expect_everywhere(strain(Mat3::Identity()), 0);
  expect_everywhere(strain(Vec3(1.03, 1, 1).asDiagonal()), 0.03);
  expect_everywhere(strain(Vec3(0.9, 1.05, 1).asDiagonal()), 0.05);
  expect_everywhere(strain(Vec3(0.9, 0.95, 1).asDiagonal()), -0.05);
  // Simple shear x += γy stretches by √(1 + γ²/4) + γ/2.
  Mat3 shear = Mat3::Identity();
  shear(0, 1) = 0.2;
  expect_everywhere(strain(shear), std::sqrt(1 + 0.01) + 0.1 - 1);
}

TEST(PrincipalStrain, IsTheMeanOfTheTrianglesAboutAVertexByArea) {
  const Model model = flat_sheet(Membrane::springs, 0);
  std::srand(3);
  const Points x = model.start + 0.005 * Points::Random(3, model.vertex_count());
  const Scalars strain = principal_strain(model, x);
  Scalars sum = Scalars::Zero(model.vertex_count()), area = sum;
  for (const auto& [a, b, c] : model.triangles) {
    // The stretch of the circumference of directions, by brute force; all triangles weigh the same here.
    Eigen::Matrix2d rest;
    rest << (model.start.col(b) - model.start.col(a)).head<2>(),
        (model.start.col(c) - model.start.col(a)).head<2>();
    Eigen::Matrix<double, 3, 2> now;
    now << x.col(b) - x.col(a), x.col(c) - x.col(a);
    const Eigen::Matrix<double, 3, 2> gradient = now * rest.inverse();
    double largest = 0;
    for (int k = 0; k < 2000; ++k)
      largest =
          std::max(largest, (gradient * Vec2(std::cos(k * M_PI / 2000), std::sin(k * M_PI / 2000))).norm());
    for (const int v : {a, b, c}) {
      sum[v] += largest - 1;
      area[v] += 1;
    }
  }
  EXPECT_LT((strain - sum.cwiseQuotient(area)).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Speed, IsTheLengthOfTheVelocity) {
  Points velocities(3, 2);
  velocities << 3, 0, -4, 0, 12, 0;
  EXPECT_EQ(speed(velocities)[0], 13);
  EXPECT_EQ(speed(velocities)[1], 0);
}

TEST(BendingDensity, OfACylinderIsThatOfThePlate) {
  constexpr double kRadius = 0.4, kRigidity = 1e-4;
  const auto rolled = [&](const Model& model) {
    Points x = model.start;
    for (int v = 0; v < x.cols(); ++v) {
      const double angle = model.start(0, v) / kRadius;
      x.col(v) = Vec3(kRadius * std::sin(angle), model.start(1, v), kRadius * (1 - std::cos(angle)));
    }
    return x;
  };
  const Model model = flat_sheet(Membrane::baraff_witkin, kRigidity, Diagonals::forward);
  const Scalars density = bending_density(model, rolled(model));
  const double expected = kRigidity / (2 * kRadius * kRadius);
  for (int j = 2; j < 9; ++j)
    for (int i = 2; i < 11; ++i) EXPECT_NEAR(density[13 * j + i], expected, 0.01 * expected) << i << " " << j;
  Points flat = model.start;
  flat.row(2).setZero();
  EXPECT_LT(bending_density(model, flat).cwiseAbs().maxCoeff(), 1e-9 * expected);
}

TEST(BendingDensity, SharesAllOfTheEnergyOut) {
  for (const bool with_springs : {false, true}) {
    Scene scene;
    scene.cloths.resize(1);
    scene.cloths[0].grid = Grid();
    scene.cloths[0].grid->points = {7, 6};
    scene.cloths[0].membrane = Membrane::stvk;
    if (with_springs) scene.cloths[0].springs = Springs{SpringLayout::cross, 10, 20, 30, 0};
    const Model model = build_model(scene);
    std::srand(5);
    const Points x = model.start + 0.05 * Points::Random(3, model.vertex_count());
    Scalars area = Scalars::Zero(model.vertex_count());
    for (const auto& [a, b, c] : model.triangles)
      for (const int v : {a, b, c})
        area[v] += triangle_area(model.start.col(a), model.start.col(b), model.start.col(c)) / 3;
    double expected = total_value(model.energies.bending, x);
    for (int s = 0; s < model.energies.springs.size(); ++s)
      if (model.energies.springs.stiffness[s] == 30)
        expected += model.energies.springs[s].value(gather(x, model.energies.springs.vertices(s)));
    EXPECT_GT(expected, 1e-9);
    EXPECT_NEAR(bending_density(model, x).dot(area), expected, 1e-12 * expected);
  }
}

TEST(Gaps, AreThoseOfAPlaneAndASphere) {
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].grid = Grid();
  scene.cloths[0].grid->points = {5, 4};
  scene.cloths[0].fabric.thickness = 0.002;
  Model model = build_model(scene);
  State state = initial_state(model);
  EXPECT_EQ(measure_gaps(model, state).minCoeff(), std::numeric_limits<double>::infinity());
  Collider floor, ball;
  floor.shape = Shape::plane;
  floor.center = {3, -0.1, 7};
  floor.margin = 0.003;
  floor.motion.swing = {0, 0.05, 0};
  ball.center = {0, 0.5, 0};
  ball.radius = 0.45;
  model.colliders = {floor, ball};
  model.collider_surfaces.resize(2);
  state.time = 0.25;  // the floor is at the top of its swing
  const Scalars gaps = measure_gaps(model, state);
  for (int v = 0; v < model.vertex_count(); ++v) {
    const double to_floor = 0.05 - 0.003 - 0.001;
    const double to_ball = (state.positions.col(v) - ball.center).norm() - 0.45 - 0.001;
    EXPECT_NEAR(gaps[v], std::min(to_floor, to_ball), 1e-14) << v;
  }
  EXPECT_LT(gaps[0], 0.049) << "the corner below the ball";
  model.colliders[0].enabled = model.colliders[1].enabled = false;
  EXPECT_EQ(measure_gaps(model, state).minCoeff(), std::numeric_limits<double>::infinity());
}

// --- of the whole ------------------------------------------------------------------------------------

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
  EXPECT_NEAR(potential_energy(model, model.script.gravity, x), potential, 1e-12);
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
      const Vec3 expected = integrate(start, {0.5, 2, -1}, model.script.gravity, damping, time);
      EXPECT_LT((free_fall(model, model.script.gravity, time) - expected).norm(), 1e-6)
          << damping << " 1/s, " << time << " s";
    }
  }
}

TEST(FreeFall, IsClaimedOnlyOfFreeCloth) {
  EXPECT_TRUE(falls_freely(sheet(3, 3).script));
  Model held = sheet(3, 3), blown = sheet(3, 3), pressed = sheet(3, 3);
  held.script.pins.push_back({0, Vec3::Ones(), Vec3::Zero(), 0});
  blown.script.wind.air_density = 1.2;
  pressed.script.wind.law = WindLaw::mosegaard;
  pressed.script.wind.pressure = {1, 0, 0};
  EXPECT_FALSE(falls_freely(held.script));
  EXPECT_FALSE(falls_freely(blown.script));
  EXPECT_FALSE(falls_freely(pressed.script));
}

}  // namespace
}  // namespace muslin

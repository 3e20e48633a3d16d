#include "muslin/solver/position/mesh_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "inextensible.h"
#include "muslin/geometry/shapes.h"
#include "muslin/geometry/sheet.h"
#include "muslin/simulation.h"
#include "muslin/solver/position/colour_kernels.h"

namespace muslin {
namespace {

constexpr double kStiffness = 60;  // [N/m]

Scene springs_on(const Mesh& mesh) {
  Cloth cloth;
  cloth.mesh = ClothMesh();
  cloth.mesh->mesh = std::make_shared<Mesh>(mesh);
  cloth.springs.emplace().layout = SpringLayout::edges;
  cloth.springs->structural = kStiffness;
  Scene scene;
  scene.solver.family = "position";
  scene.solver.position.path = PositionPath::colours;
  scene.solver.position.substeps = 1;
  scene.cloths = {cloth};
  return scene;
}

// A rectangle in the x-z plane, cut along one diagonal of its cells.
constexpr int kAlong = 7, kAcross = 5;
Mesh rectangle() {
  return make_sheet({kAlong, kAcross}, Vec3::Zero(), 0.6 * Vec3::UnitX(), 0.4 * Vec3::UnitZ(),
                    Diagonals::forward);
}

int count_in_lines(const Model& model) {
  const MeshLines lines(model, model.script, 0.01);
  int count = 0;
  for (int s = 0; s < model.energies.springs.size(); ++s) count += lines.has(s);
  return count;
}

TEST(MeshLines, TakeRowsColumnsAndDiagonals) {
  const Simulation simulation(springs_on(rectangle()));
  const int along_threads = kAcross * (kAlong - 1) + kAlong * (kAcross - 1);
  const int diagonals = (kAlong - 1) * (kAcross - 1);
  EXPECT_EQ(simulation.model().energies.springs.size(), along_threads + diagonals);
  constexpr int kAtCorners = 2 * (1 + 2);  // diagonals of one spring and of two, at either corner: too short
  EXPECT_EQ(count_in_lines(simulation.model()), along_threads + diagonals - kAtCorners);
}

TEST(MeshLines, TakeMostOfAnIrregularMesh) {
  const Simulation simulation(springs_on(make_irregular_sheet({.points = 30, .size = 1, .seed = 3})));
  EXPECT_GT(count_in_lines(simulation.model()), 0.75 * simulation.model().energies.springs.size());
}

// Rings about the tube are open somewhere; then they are lines as others.
TEST(MeshLines, OpenRings) {
  constexpr int kAround = 24, kRings = 12;
  const Simulation simulation(springs_on(make_tube(kAround, kRings, 0.1, 0.3)));
  const int springs = simulation.model().energies.springs.size(), taken = count_in_lines(simulation.model());
  EXPECT_GT(taken, 0.8 * springs);
  EXPECT_LT(taken, springs);
}

// All lines of the rectangle that have three springs or more, in the order in which they are solved:
// diagonals, across, along. Vertices are the model's.
std::vector<std::vector<int>> lines_of_rectangle(const Model& model) {
  const auto vertex = [&](int i, int j) { return model.vertex_numbers.to_model(j * kAlong + i); };
  std::vector<std::vector<int>> lines;
  for (int i = 1 - kAcross; i < kAlong; ++i) {
    std::vector<int> line;
    for (int j = 0; j < kAcross; ++j)
      if (i + j >= 0 && i + j < kAlong) line.push_back(vertex(i + j, j));
    if (line.size() > 3) lines.push_back(line);
  }
  for (int i = 0; i < kAlong; ++i) {
    lines.emplace_back();
    for (int j = 0; j < kAcross; ++j) lines.back().push_back(vertex(i, j));
  }
  for (int j = 0; j < kAcross; ++j) {
    lines.emplace_back();
    for (int i = 0; i < kAlong; ++i) lines.back().push_back(vertex(i, j));
  }
  return lines;
}

// (J M⁻¹ Jᵀ + α̃) λ = C with the whole matrix, in double.
void solve_line(const std::vector<int>& line, const Model& model, double damping, double h,
                const Points& start, Points& x) {
  const Eigen::Index n = static_cast<Eigen::Index>(line.size());
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(n - 1, 3 * n);
  Eigen::VectorXd c(n - 1), w(3 * n);
  for (Eigen::Index k = 0; k < n; ++k) w.segment<3>(3 * k) = model.script.inverse_mass.col(line[k]);
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    const int a = line[k], b = line[k + 1];
    const Vec3 d = x.col(a) - x.col(b);
    const double rest = (model.start.col(a) - model.start.col(b)).norm(),
                 before = (start.col(a) - start.col(b)).norm();
    c[k] = d.norm() - (rest + damping / (h + damping) * (before - rest));
    jacobian.block<1, 3>(k, 3 * k) = d.normalized().transpose();
    jacobian.block<1, 3>(k, 3 * k + 3) = -d.normalized().transpose();
  }
  Eigen::MatrixXd system = jacobian * w.asDiagonal() * jacobian.transpose();
  system.diagonal().array() += 1 / (kStiffness * h * (h + damping));
  const Eigen::VectorXd moves = -(w.asDiagonal() * jacobian.transpose() * system.ldlt().solve(c));
  for (Eigen::Index k = 0; k < n; ++k) x.col(line[k]) += moves.segment<3>(3 * k);
}

TEST(MeshLines, SolveEveryLineAsADenseSystem) {
  constexpr double h = 0.01;
  for (const bool pinned : {false, true})
    for (const double damping : {0.0, 0.02}) {
      Scene scene = springs_on(rectangle());
      scene.cloths[0].springs->damping = damping;
      Pin pin;
      pin.vertices = {0, kAlong - 1};
      if (pinned) scene.cloths[0].pins = {pin};
      const Simulation simulation(scene);
      const Model& model = simulation.model();
      const int n = model.vertex_count();
      Points start = model.start, expected = model.start;
      for (int v = 0; v < n; ++v) {
        start.col(v) += 0.005 * Vec3(std::cos(3.0 * v), std::sin(4.0 * v), std::cos(7.0 * v));
        expected.col(v) += 0.01 * Vec3(std::sin(3.0 * v), std::cos(5.0 * v), std::sin(2.0 * v + 1));
      }
      std::vector<float> places[2];
      for (std::vector<float>& place : places) place.assign(4 * size_t(n + kColourLanes), 0);
      for (int v = 0; v < n; ++v)
        for (int axis = 0; axis < 3; ++axis) {
          places[0][4 * v + axis] = float(expected(axis, v));
          places[1][4 * v + axis] = float(start(axis, v));
        }
      const MeshLines lines(model, model.script, h);
      EXPECT_EQ(lines.is_damped(), damping > 0);
      lines.sweep(places[0].data(), places[1].data());
      const Points before = expected;
      for (const std::vector<int>& line : lines_of_rectangle(model))
        solve_line(line, model, damping, h, start, expected);
      EXPECT_GT((expected - before).cwiseAbs().maxCoeff(), 3e-3);
      for (int v = 0; v < n; ++v)
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_NEAR(places[0][4 * v + axis], expected(axis, v), 2e-6) << v << ", damping " << damping;
    }
}

// Inextensible cloth of two metres: what lines are for.
TEST(MeshLines, HoldLargeClothBetterThanAsManyStepsOfTheGeneralPath) {
  Scene scene = springs_on(make_irregular_sheet({.points = 33, .size = 2, .seed = 3}));
  scene.cloths[0].springs.reset();
  scene.cloths[0].membrane = Membrane::springs;
  make_inextensible(scene.cloths[0].fabric);
  Pin corners;
  corners.vertices = {0, 32};
  scene.cloths[0].pins = {corners};
  scene.solver.position.substeps = 10;
  const double by_lines = highest_strain(scene, false);
  scene.solver.position.path = PositionPath::general;
  EXPECT_LT(by_lines, highest_strain(scene, false) / 2);
}

}  // namespace
}  // namespace muslin

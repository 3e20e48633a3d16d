#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "muslin/energy/energies.h"
#include "muslin/model/model.h"

// Sums over all elements of a model.

namespace muslin {
namespace {

/// A crumpled cloth: 5 × 4 vertices with springs and bending.
struct Crumpled {
  Model model;
  Points x;
};
Crumpled crumpled(Membrane membrane, Bending bending) {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {5, 4};
  cloth.grid->size = {0.4, 0.3};
  cloth.fabric.bend = 1e-3;
  cloth.membrane = membrane;
  cloth.bending = bending;
  scene.cloths = {cloth};
  Model model = build_model(scene);
  std::srand(7);
  const Points x = model.start + 0.03 * Points::Random(3, model.vertex_count());
  return {model, x};
}
std::vector<Crumpled> all_crumpled() {
  return {crumpled(Membrane::springs, Bending::quadratic),
          crumpled(Membrane::baraff_witkin, Bending::dihedral), crumpled(Membrane::stvk, Bending::quadratic)};
}

/// A hexahedron of two tetrahedra: at its apexes two neighbours of a triangle share their tip, so that a
/// stencil names one vertex twice.
Crumpled with_valence_three() {
  auto mesh = std::make_shared<Mesh>();
  mesh->positions.resize(3, 5);
  mesh->positions << 1, -0.5, -0.5, 0, 0, /**/ 0, 0.8, -0.8, 0, 0, /**/ 0, 0, 0, 0.7, -0.7;
  mesh->triangles = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
  Scene scene;
  scene.cloths.resize(1);
  scene.cloths[0].mesh = MeshFile();
  scene.cloths[0].mesh->mesh = mesh;
  Model model = build_model(scene);
  std::srand(3);
  const Points x = model.start + 0.1 * Points::Random(3, model.vertex_count());
  return {model, x};
}

TEST(Energies, GradientIsTheDerivativeOfTheSum) {
  std::vector<Crumpled> all = all_crumpled();
  all.push_back(with_valence_three());
  for (const auto& [model, x] : all) {
    Scratch scratch;
    Points gradient = Points::Constant(3, x.cols(), 2.0);  // it is added to
    add_elastic_gradient(model.energies, x, scratch, gradient);
    gradient.array() -= 2;
    const double eps = 1e-6;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      Points more = x, less = x;
      more.data()[k] += eps;
      less.data()[k] -= eps;
      const double slope =
          (elastic_energy(model.energies, more) - elastic_energy(model.energies, less)) / (2 * eps);
      EXPECT_NEAR(gradient.data()[k], slope, 1e-6 * gradient.cwiseAbs().maxCoeff());
    }
  }
}

/// The projected Hessian of all elements, assembled densely.
Eigen::MatrixXd dense_hessian(const Energies& energies, const Points& x) {
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(x.size(), x.size());
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e) {
      const auto& stencil = energy.vertices(e);
      const auto block = energy[e].hessian_psd(gather(x, stencil));
      for (size_t i = 0; i < stencil.size(); ++i)
        for (size_t j = 0; j < stencil.size(); ++j)
          h.block<3, 3>(3 * stencil[i], 3 * stencil[j]) += block.template block<3, 3>(3 * i, 3 * j);
    }
  });
  return h;
}

// Springs keep their bound in any shape; what depends on the square of lengths keeps it while strains are
// small.
TEST(Energies, StiffnessBoundLiesAboveTheHessian) {
  const Mat3 turn = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const auto& [model, x] : all_crumpled()) {
    const Scalars bound = stiffness_bound(model.energies, model.vertex_count());
    const Eigen::VectorXd scale = bound.replicate(1, 3).transpose().reshaped().cwiseSqrt().cwiseInverse();
    std::vector<Points> shapes{model.start, Points(turn * model.start)};
    if (model.energies.springs.size() > 0)
      shapes.insert(shapes.end(), {x, 2 * model.start, 0.5 * model.start});
    for (const Points& shape : shapes) {
      const Eigen::MatrixXd h =
          scale.asDiagonal() * dense_hessian(model.energies, shape) * scale.asDiagonal();
      EXPECT_LE(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().maxCoeff(), 1 + 1e-12);
    }
  }
}

TEST(Energies, StiffnessBoundLiesAboveEveryFrequency) {
  for (const auto& [model, x] : all_crumpled()) {
    const Eigen::VectorXd mass = model.mass.replicate(1, 3).transpose().reshaped();
    const double bound =
        stiffness_bound(model.energies, model.vertex_count()).cwiseQuotient(model.mass).maxCoeff();
    std::vector<Points> shapes{model.start};
    if (model.energies.springs.size() > 0) shapes.insert(shapes.end(), {x, 2 * model.start});
    for (const Points& shape : shapes) {
      const Eigen::VectorXd scale = mass.cwiseSqrt().cwiseInverse();
      const Eigen::MatrixXd h =
          scale.asDiagonal() * dense_hessian(model.energies, shape) * scale.asDiagonal();
      const double highest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().maxCoeff();
      EXPECT_LE(highest, bound);
      EXPECT_GE(highest, bound / 10) << "the bound is so loose that steps are wasted";
    }
  }
}

// --- energies of a damped step ----------------------------------------------------------------------

TEST(DampedStep, SharesWhatDampingDoesNotChangeAndReusesItsMemory) {
  for (const auto& [model, x] : all_crumpled()) {
    Energies elastic = model.energies, damped;
    elastic.each([](auto& energy) {
      std::vector<double>& damping = energy.edit().damping;
      std::fill(damping.begin(), damping.end(), 0.02);
    });
    damp(elastic, model.start, 0.01, damped);
    std::vector<const void*> memory;
    damped.each([&](const auto& energy) { memory.push_back(energy.stiffness.data()); });
    damp(elastic, x, 0.005, damped);
    auto before = memory.begin();
    Energies::each_pair(elastic, damped, [&](const auto& from, const auto& to) {
      EXPECT_EQ(&from.elements(), &to.elements()) << from.kName;
      EXPECT_EQ(to.stiffness.data(), *before++) << from.kName;
      ASSERT_EQ(from.size(), to.size());
      for (int e = 0; e < from.size(); ++e)
        EXPECT_TRUE(to.stiffness[e] == from.stiffness[e] * 5) << from.kName;
    });
    // ½k(1 + τ/h)(C − s C₀)² has the elastic slope where the step begins.
    Scratch scratch;
    Points of_elastic = Points::Zero(3, x.cols()), of_damped = of_elastic;
    add_elastic_gradient(elastic, x, scratch, of_elastic);
    add_elastic_gradient(damped, x, scratch, of_damped);
    EXPECT_GT(of_elastic.norm(), 1e-6 * greatest_stiffness(elastic));
    EXPECT_LE((of_damped - of_elastic).norm(), 1e-10 * greatest_stiffness(elastic));
  }
}

TEST(Energies, ChangingACopyLeavesTheOriginal) {
  const Model model = crumpled(Membrane::springs, Bending::quadratic).model;
  Energies copy = model.energies;
  EXPECT_EQ(&copy.springs.elements(), &model.energies.springs.elements());
  const Stencil<2> first = model.energies.springs.vertices(0);
  copy.springs.edit().vertices[0] = {3, 4};
  EXPECT_EQ(model.energies.springs.vertices(0), first);
  EXPECT_EQ(copy.springs.vertices(0), (Stencil<2>{3, 4}));
}

}  // namespace
}  // namespace muslin

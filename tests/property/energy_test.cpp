#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "muslin/energy/energies.h"
#include "muslin/model/model.h"

// Every energy against finite differences, eigenvalues and rigid motions. Adding an energy means adding its
// type to `AllEnergies` and an `element` that makes a random one; EveryEnergyIsTested reminds of it.

namespace muslin {
namespace {

// --- random elements -------------------------------------------------------------------------------

double between(double low, double high) {
  return low + (high - low) * *rc::gen::inRange(0, 1'000'001) / 1'000'000.0;
}
Vec3 any_place(double reach) {
  const double x = between(-reach, reach), y = between(-reach, reach), z = between(-reach, reach);
  return {x, y, z};
}
Mat3 any_rotation() {
  const Vec3 axis = any_place(1) + Vec3(0, 0, 1e-3);
  return Eigen::AngleAxisd(between(0, 6.28), axis.normalized()).toRotationMatrix();
}

/// One element of an energy: its rest shape and some other shape.
template <class E>
struct Element {
  E energy;
  Local<E::kSize> rest, x;
  double scale;  ///< [N/m] size of the Hessian: what errors are relative to
};

Element<SpringEnergy> element(const SpringEnergy&) {
  Element<SpringEnergy> made;
  const double length = between(0.1, 2), stiffness = between(1, 1e4);
  made.energy.vertices = {{0, 1}};
  made.energy.rest_length = {length};
  made.energy.stiffness = {stiffness};
  made.energy.kind = {SpringClass::structural};
  const Vec3 place = any_place(1), direction = any_rotation().col(0);
  made.rest << place, place + length * direction;
  made.x << place, place + between(0.3, 3) * length * any_rotation().col(1);
  made.scale = stiffness;
  return made;
}

Element<BendingEnergy> element(const BendingEnergy&) {
  Element<BendingEnergy> made;
  const double length = between(0.5, 2);
  made.rest.col(0) = Vec3::Zero();
  made.rest.col(1) = Vec3(length, 0, 0);
  made.rest.col(2) = Vec3(between(-1, 2), between(0.3, 1), 0);
  made.rest.col(3) = Vec3(between(-1, 2), -between(0.3, 1), 0);
  made.rest = (any_rotation() * made.rest).colwise() + any_place(1);
  made.energy.vertices = {{0, 1, 2, 3}};
  const auto& r = made.rest;
  made.energy.weights = {hinge_weights(r.col(0), r.col(1), r.col(2), r.col(3)).weights};
  made.energy.stiffness = {between(1e-6, 10)};
  for (int k = 0; k < 4; ++k) made.x.col(k) = made.rest.col(k) + any_place(0.3);
  made.scale = made.energy.stiffness[0] * made.energy.weights[0].squaredNorm();
  return made;
}

using AllEnergies = testing::Types<SpringEnergy, BendingEnergy>;

TEST(Energies, EveryEnergyIsTested) {
  int held = 0;
  Energies().each([&](const auto&) { ++held; });
  EXPECT_EQ(held, 2) << "a new energy belongs into AllEnergies";
}

// --- finite differences ----------------------------------------------------------------------------

/// ∂f/∂x by central differences.
template <int N, class Function>
Local<N> difference(const Function& f, const Local<N>& x, double eps) {
  Local<N> result;
  for (int k = 0; k < 3 * N; ++k) {
    Local<N> more = x, less = x;
    more.data()[k] += eps;
    less.data()[k] -= eps;
    result.data()[k] = (f(more) - f(less)) / (more.data()[k] - less.data()[k]);
  }
  return result;
}

/// ∂gradient/∂x by central differences.
template <class E>
LocalHessian<E::kSize> hessian_difference(const E& energy, const Local<E::kSize>& x, double eps) {
  LocalHessian<E::kSize> result;
  for (int k = 0; k < 3 * E::kSize; ++k) {
    Local<E::kSize> more = x, less = x;
    more.data()[k] += eps;
    less.data()[k] -= eps;
    const Local<E::kSize> change =
        (energy.gradient(0, more) - energy.gradient(0, less)) / (more.data()[k] - less.data()[k]);
    result.col(k) = Eigen::Map<const Eigen::Matrix<double, 3 * E::kSize, 1>>(change.data());
  }
  return result;
}

/// Smallest of the differences between `exact` and its approximations over a sweep of eps: truncation rules
/// at one end, rounding at the other.
template <class Matrix, class Approximate>
double best_error(const Matrix& exact, const Approximate& approximate) {
  double best = std::numeric_limits<double>::infinity();
  for (const double eps : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7})
    best = std::min(best, (exact - approximate(eps)).cwiseAbs().maxCoeff());
  return best;
}

template <class Matrix>
Matrix without_negative_eigenvalues(const Matrix& h) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen((h + h.transpose()) / 2);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

template <class E>
class EveryEnergy : public testing::Test {};
TYPED_TEST_SUITE(EveryEnergy, AllEnergies);

TYPED_TEST(EveryEnergy, GradientIsTheDerivativeOfTheValue) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    const auto value = [&](const auto& x) { return made.energy.value(0, x); };
    const double error = best_error(made.energy.gradient(0, made.x), [&](double eps) {
      return difference<TypeParam::kSize>(value, made.x, eps);
    });
    RC_ASSERT(error <= 1e-7 * made.scale);
  }));
}

TYPED_TEST(EveryEnergy, HessianIsTheDerivativeOfTheGradientWithoutNegativeEigenvalues) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    const double error = best_error(made.energy.hessian(0, made.x), [&](double eps) {
      return without_negative_eigenvalues(hessian_difference(made.energy, made.x, eps));
    });
    RC_ASSERT(error <= 1e-5 * made.scale);
  }));
}

TEST(SpringEnergy, StretchedHessianNeedsNoProjection) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(SpringEnergy());
    made.energy.rest_length[0] = between(0.1, 1) * (made.x.col(1) - made.x.col(0)).norm();
    const double error = best_error(made.energy.hessian(0, made.x),
                                    [&](double eps) { return hessian_difference(made.energy, made.x, eps); });
    RC_ASSERT(error <= 1e-5 * made.scale);
  }));
}

TYPED_TEST(EveryEnergy, HessianIsSymmetricAndPositiveSemiDefinite) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    for (const double squeeze : {1.0, 1e-2, 1e-9, 0.0}) {  // far into compression, to coincident vertices
      const Local<TypeParam::kSize> x = squeeze * made.x;
      const auto h = made.energy.hessian(0, x);
      RC_ASSERT((h - h.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * made.scale);
      const Eigen::SelfAdjointEigenSolver<LocalHessian<TypeParam::kSize>> eigen(h);
      RC_ASSERT(eigen.eigenvalues().minCoeff() >= -1e-10 * made.scale);
    }
  }));
}

TYPED_TEST(EveryEnergy, RigidMotionChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    const Mat3 rotation = any_rotation();
    const Local<TypeParam::kSize> moved = (rotation * made.x).colwise() + any_place(2);
    const auto before = made.energy.gradient(0, made.x), after = made.energy.gradient(0, moved);
    RC_ASSERT(std::abs(made.energy.value(0, moved) - made.energy.value(0, made.x)) <= 1e-12 * made.scale);
    RC_ASSERT((after - rotation * before).cwiseAbs().maxCoeff() <= 1e-12 * made.scale);

    // Internal forces neither push nor turn the element as a whole.
    Vec3 torque = Vec3::Zero();
    for (int k = 0; k < TypeParam::kSize; ++k) torque += Vec3(made.x.col(k)).cross(Vec3(before.col(k)));
    RC_ASSERT(before.rowwise().sum().norm() <= 1e-12 * made.scale);
    RC_ASSERT(torque.norm() <= 1e-11 * made.scale);
  }));
}

TYPED_TEST(EveryEnergy, RestHasNoEnergyAndNoForce) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    RC_ASSERT(made.energy.value(0, made.rest) <= 1e-24 * made.scale);
    RC_ASSERT(made.energy.value(0, made.rest) >= 0);
    RC_ASSERT(made.energy.gradient(0, made.rest).cwiseAbs().maxCoeff() <= 1e-13 * made.scale);
  }));
}

TYPED_TEST(EveryEnergy, ConstraintAndComplianceMakeTheValue) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    Local<TypeParam::kSize> slope;
    const double c = made.energy.constraint(0, made.x, slope), compliance = made.energy.compliance(0);
    const double value = made.energy.value(0, made.x);
    RC_ASSERT(std::abs(c * c / (2 * compliance) - value) <= 1e-12 * (value + made.scale));
    RC_ASSERT((c / compliance * slope - made.energy.gradient(0, made.x)).cwiseAbs().maxCoeff() <=
              1e-12 * (made.scale + std::abs(c) / compliance));
    RC_PRE(std::abs(c) > 1e-2);  // |b| has a kink where it is zero
    const auto constraint = [&](const Local<TypeParam::kSize>& x) {
      Local<TypeParam::kSize> unused;
      return made.energy.constraint(0, x, unused);
    };
    const double error =
        best_error(slope, [&](double eps) { return difference<TypeParam::kSize>(constraint, made.x, eps); });
    RC_ASSERT(error <= 1e-6 * slope.norm());
  }));
}

template <class E>
void expect_finite(const E& energy, const Local<E::kSize>& x) {
  Local<E::kSize> slope;
  EXPECT_TRUE(std::isfinite(energy.value(0, x)));
  EXPECT_TRUE(energy.gradient(0, x).allFinite());
  EXPECT_TRUE(energy.hessian(0, x).allFinite());
  EXPECT_TRUE(std::isfinite(energy.constraint(0, x, slope)));
  EXPECT_TRUE(slope.allFinite());
}

TYPED_TEST(EveryEnergy, DegenerateShapesStayFinite) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    const Vec3 place = any_place(1);
    expect_finite(made.energy, place.replicate<1, TypeParam::kSize>());  // all in one point
    expect_finite(made.energy, made.rest);                               // flat, at rest
    expect_finite<TypeParam>(made.energy, 1e-160 * made.x);              // squares underflow
    Local<TypeParam::kSize> pair = made.x;
    pair.col(1) = pair.col(0);
    expect_finite(made.energy, pair);
  }));
}

// --- bending ---------------------------------------------------------------------------------------

TEST(BendingEnergy, MeasuresLengthTimesAngle) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(BendingEnergy());
    const Vec3 edge = made.rest.col(1) - made.rest.col(0);
    const double angle = between(-3, 3), length = edge.norm();
    Local<4> folded = made.rest;
    const Vec3 arm = folded.col(3) - folded.col(0);
    folded.col(3) = folded.col(0) + Eigen::AngleAxisd(angle, edge / length) * arm;
    Local<4> unused;
    const double b = made.energy.constraint(0, folded, unused);
    // Each triangle adds l times the unit vector that points away from it, across the edge in its plane.
    RC_ASSERT(std::abs(b - 2 * length * std::abs(std::sin(angle / 2))) <= 1e-11);
    if (std::abs(angle) < 1e-2) RC_ASSERT(std::abs(b - length * std::abs(angle)) <= 1e-5 * b + 1e-11);
  }));
  // Small angles are rare above.
  auto made = Element<BendingEnergy>();
  const Vec3 x0(0, 0, 0), x1(2, 0, 0), x2(0.3, 1, 0);
  for (const double angle : {1e-1, 1e-2, 1e-4, 1e-6}) {
    const Vec3 x3(1.5, -0.7 * std::cos(angle), 0.7 * std::sin(angle));
    const Eigen::Vector4d w = hinge_weights(x0, x1, x2, Vec3(1.5, -0.7, 0)).weights;
    EXPECT_NEAR((w[0] * x0 + w[1] * x1 + w[2] * x2 + w[3] * x3).norm() / (2 * angle), 1, angle * angle / 20);
  }
}

TEST(BendingEnergy, WeightsAnnihilateLinearFunctions) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(BendingEnergy());
    const Eigen::Vector4d& w = made.energy.weights[0];
    RC_ASSERT(std::abs(w.sum()) <= 1e-12 * w.norm());
    RC_ASSERT((made.rest * w).norm() <= 1e-12 * w.norm());
    const Mat3 linear = Mat3::Random();
    RC_ASSERT((((linear * made.rest).colwise() + any_place(2)) * w).norm() <= 1e-11 * w.norm());
  }));
}

TEST(BendingEnergy, HingeAreaIsThatOfBothTriangles) {
  EXPECT_DOUBLE_EQ(hinge_weights({0, 0, 0}, {2, 0, 0}, {1, 3, 0}, {5, -1, 0}).area, 3 + 1);
}

// --- all elements together -------------------------------------------------------------------------

/// A crumpled cloth: 5 × 4 vertices with springs and bending.
struct Crumpled {
  Model model;
  Points x;
};
Crumpled crumpled() {
  Scene scene;
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = {5, 4};
  cloth.grid->size = {0.4, 0.3};
  cloth.fabric.bend = 1e-3;
  scene.cloths = {cloth};
  Model model = build_model(scene);
  std::srand(7);
  const Points x = model.start + 0.03 * Points::Random(3, model.vertex_count());
  return {model, x};
}

TEST(Energies, GradientIsTheDerivativeOfTheSum) {
  const auto [model, x] = crumpled();
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

/// The projected Hessian of all elements, assembled densely.
Eigen::MatrixXd dense_hessian(const Energies& energies, const Points& x) {
  Eigen::MatrixXd h = Eigen::MatrixXd::Zero(x.size(), x.size());
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e) {
      const auto& stencil = energy.vertices[e];
      const auto block = energy.hessian(e, gather(x, stencil));
      for (size_t i = 0; i < stencil.size(); ++i)
        for (size_t j = 0; j < stencil.size(); ++j)
          h.block<3, 3>(3 * stencil[i], 3 * stencil[j]) += block.template block<3, 3>(3 * i, 3 * j);
    }
  });
  return h;
}

TEST(Energies, StiffnessBoundLiesAboveTheHessianInAnyShape) {
  const auto [model, x] = crumpled();
  const Scalars bound = stiffness_bound(model.energies, model.vertex_count());
  const Eigen::VectorXd scale = bound.replicate(1, 3).transpose().reshaped().cwiseSqrt().cwiseInverse();
  for (const Points& shape : {model.start, x, Points(2 * model.start), Points(0.5 * model.start)}) {
    const Eigen::MatrixXd h = scale.asDiagonal() * dense_hessian(model.energies, shape) * scale.asDiagonal();
    EXPECT_LE(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().maxCoeff(), 1 + 1e-12);
  }
}

TEST(Energies, StiffnessBoundLiesAboveEveryFrequency) {
  const auto [model, x] = crumpled();
  const Eigen::VectorXd mass = model.mass.replicate(1, 3).transpose().reshaped();
  const double bound =
      stiffness_bound(model.energies, model.vertex_count()).cwiseQuotient(model.mass).maxCoeff();
  for (const Points& shape : {model.start, x, Points(2 * model.start)}) {
    const Eigen::VectorXd scale = mass.cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd h = scale.asDiagonal() * dense_hessian(model.energies, shape) * scale.asDiagonal();
    const double highest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().maxCoeff();
    EXPECT_LE(highest, bound);
    EXPECT_GE(highest, bound / 10) << "the bound is so loose that steps are wasted";
  }
}

}  // namespace
}  // namespace muslin

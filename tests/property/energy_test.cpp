#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "property/elements.h"

// Every energy against finite differences, eigenvalues and rigid motions.

namespace muslin {
namespace {

// --- finite differences ----------------------------------------------------------------------------

/// ∂f/∂x by central differences.
template <int N, class Function>
Eigen::MatrixXd difference(const Function& f, const Local<N>& x, double eps) {
  Eigen::MatrixXd result(3, N);
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
Eigen::MatrixXd hessian_difference(const E& energy, const Local<E::kSize>& x, double eps) {
  Eigen::MatrixXd result(3 * E::kSize, 3 * E::kSize);
  for (int k = 0; k < 3 * E::kSize; ++k) {
    Local<E::kSize> more = x, less = x;
    more.data()[k] += eps;
    less.data()[k] -= eps;
    const Eigen::MatrixXd up = energy[0].gradient(more), down = energy[0].gradient(less);
    result.col(k) = (up - down).reshaped() / (more.data()[k] - less.data()[k]);
  }
  return result;
}

/// Smallest of the differences between `exact` and its approximations over a sweep of eps, in parts of the
/// element's thinness: truncation rules at one end, rounding at the other.
double best_error(const Eigen::MatrixXd& exact, double thinness,
                  const std::function<Eigen::MatrixXd(double eps)>& approximate) {
  double best = std::numeric_limits<double>::infinity();
  for (double eps = 1e-2; eps > 1e-8; eps /= 4)
    best = std::min(best, (exact - approximate(eps * thinness)).cwiseAbs().maxCoeff());
  return best;
}

template <class E>
class EveryEnergy : public testing::Test {};
TYPED_TEST_SUITE(EveryEnergy, AllEnergies);
template <class E>
class InternalEnergy : public testing::Test {};
TYPED_TEST_SUITE(InternalEnergy, InternalEnergies);
template <class E>
class TurningEnergy : public testing::Test {};
TYPED_TEST_SUITE(TurningEnergy, TurningEnergies);

TYPED_TEST(EveryEnergy, GradientIsTheDerivativeOfTheValue) {
  EXPECT_TRUE(rc::check([] {
    const auto made = any_element<TypeParam>();
    const auto value = [&](const auto& x) { return made.energy[0].value(x); };
    const Eigen::MatrixXd gradient = made.energy[0].gradient(made.x);
    const double error = best_error(gradient, made.thinness, [&](double eps) {
      return difference<TypeParam::kSize>(value, made.x, eps);
    });
    RC_ASSERT(error <= 1e-7 * (gradient.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness));
  }));
}

TYPED_TEST(EveryEnergy, HessianIsTheDerivativeOfTheGradient) {
  EXPECT_TRUE(rc::check([] {
    const auto made = any_element<TypeParam>();
    const Eigen::MatrixXd hessian = made.energy[0].hessian(made.x);
    const double error = best_error(hessian, made.thinness,
                                    [&](double eps) { return hessian_difference(made.energy, made.x, eps); });
    RC_ASSERT(error <= 1e-5 * (hessian.cwiseAbs().maxCoeff() + made.stiffness()));
  }));
}

TYPED_TEST(EveryEnergy, ProjectedHessianIsPositiveSemiDefiniteAndNeverBelowTheExactOne) {
  EXPECT_TRUE(rc::check([] {
    const auto made = any_element<TypeParam>();
    for (const double squeeze : {1.0, 1e-2, 1e-9, 0.0}) {  // far into compression, to coincident vertices
      const Local<TypeParam::kSize> x = squeeze * made.x;
      const Eigen::MatrixXd h = made.energy[0].hessian_psd(x), exact = made.energy[0].hessian(x);
      const double scale = h.cwiseAbs().maxCoeff() + exact.cwiseAbs().maxCoeff();
      RC_ASSERT((h - h.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * scale);
      RC_ASSERT((exact - exact.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * scale);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(h);
      RC_ASSERT(eigen.eigenvalues().minCoeff() >= -1e-10 * scale);
    }
  }));
}

/// A shape in which no term of the energy has negative curvature: the rest shape, if nobody knows more.
template <class E>
Local<E::kSize> tame_shape(Element<E>& made) {
  return any_rotation() * made.rest;
}
Local<2> tame_shape(Element<SpringEnergy>& made) {
  made.energy.rest[0] = between(0.1, 1) * (made.x.col(1) - made.x.col(0)).norm();
  return made.x;
}
const RestTriangle& triangle_of(const RestTriangle& shape) { return shape; }
const RestTriangle& triangle_of(const BaraffWitkinEnergy::Shape& shape) { return shape.triangle; }
/// The rest triangle stretched along two directions of its plane at right angles.
template <class E>
Local<3> pulled(const Element<E>& made) {
  const RestTriangle& triangle = triangle_of(made.energy[0].shape);
  Mat3 f;  // ∂x/∂u, ∂x/∂v, normal at rest
  f << made.rest * triangle.u, made.rest * triangle.v, Vec3::Zero();
  f.col(2) = f.col(0).cross(f.col(1));
  const Mat3 stretch = f * Vec3(between(1, 2), between(1, 2), 1).asDiagonal() * f.transpose();
  return any_rotation() * stretch * made.rest;
}
Local<3> tame_shape(Element<BaraffWitkinEnergy>& made) { return pulled(made); }
Local<3> tame_shape(Element<StVKEnergy>& made) { return pulled(made); }
Local<6> tame_shape(Element<BendingEnergy>& made) { return made.x; }
Local<1> tame_shape(Element<AnchorEnergy>& made) { return made.x; }

TYPED_TEST(EveryEnergy, NothingIsProjectedWhereNothingIsNegative) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(TypeParam());
    stiffen(made);
    const auto x = tame_shape(made);
    const Eigen::MatrixXd h = made.energy[0].hessian_psd(x), exact = made.energy[0].hessian(x);
    RC_ASSERT((h - exact).cwiseAbs().maxCoeff() <= 1e-10 * exact.cwiseAbs().maxCoeff());
  }));
}

// --- shapes ----------------------------------------------------------------------------------------

TYPED_TEST(InternalEnergy, IsNotChangedByRigidMotion) {
  EXPECT_TRUE(rc::check([] {
    // Damped quadratic bending takes a turn for bending.
    const bool damped = !std::is_same_v<TypeParam, BendingEnergy>;
    const auto made = damped ? any_element<TypeParam>() : element(TypeParam());
    const Mat3 rotation = any_rotation();
    const Local<TypeParam::kSize> moved = (rotation * made.x).colwise() + any_place(2);
    const auto before = made.energy[0].gradient(made.x), after = made.energy[0].gradient(moved);
    const double force = before.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness;
    const double value = made.energy[0].value(made.x), value_moved = made.energy[0].value(moved);
    RC_ASSERT(std::abs(value_moved - value) <= 1e-11 * (force + value));
    RC_ASSERT((after - rotation * before).cwiseAbs().maxCoeff() <= 1e-10 * force);

    // Internal forces neither push nor turn the element as a whole.
    Vec3 torque = Vec3::Zero();
    for (int k = 0; k < TypeParam::kSize; ++k) torque += Vec3(made.x.col(k)).cross(Vec3(before.col(k)));
    RC_ASSERT(before.rowwise().sum().norm() <= 1e-12 * force);
    RC_ASSERT(torque.norm() <= 1e-10 * force);
  }));
}

TYPED_TEST(EveryEnergy, RestHasNoEnergyAndNoForce) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(TypeParam());
    stiffen(made);
    RC_ASSERT(made.energy[0].value(made.rest) <= 1e-24 * made.stiffness());
    RC_ASSERT(made.energy[0].value(made.rest) >= 0);
    RC_ASSERT(made.energy[0].gradient(made.rest).cwiseAbs().maxCoeff() <= 1e-12 * made.stiffness());
  }));
}

/// Elements for which the majorant is promised: dihedral bending of cloth that is flat at rest.
template <class E>
Element<E> bounded_element() {
  if constexpr (std::is_same_v<E, DihedralEnergy>)
    return dihedral_element(Vec3::Zero());
  else
    return element(E());
}

TYPED_TEST(EveryEnergy, MajorantBoundsTheHessianAtRestInAnyRotation) {
  EXPECT_TRUE(rc::check([] {
    constexpr int n = TypeParam::kSize;
    const auto made = bounded_element<TypeParam>();
    const Eigen::MatrixXd majorant = made.energy[0].majorant();
    Eigen::MatrixXd above = -made.energy[0].hessian(any_rotation() * made.rest);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) above.block<3, 3>(3 * i, 3 * j) += majorant(i, j) * Mat3::Identity();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(above);
    RC_ASSERT(eigen.eigenvalues().minCoeff() >= -1e-9 * made.stiffness());
    if (!kInternal<TypeParam>) return;
    RC_ASSERT(majorant.rowwise().sum().cwiseAbs().maxCoeff() <= 1e-10 * made.stiffness());
  }));
}

template <class E>
void expect_finite(const E& energy, const Local<E::kSize>& x) {
  EXPECT_TRUE(std::isfinite(energy[0].value(x)));
  EXPECT_TRUE(energy[0].gradient(x).allFinite());
  EXPECT_TRUE(energy[0].hessian(x).allFinite());
  EXPECT_TRUE(energy[0].hessian_psd(x).allFinite());
  for (int c = 0; c < E::kConditions; ++c) {
    Local<E::kSize> slope;
    EXPECT_TRUE(std::isfinite(energy[0].condition(c, x, slope)));
    EXPECT_TRUE(slope.allFinite());
  }
}

TYPED_TEST(EveryEnergy, DegenerateShapesStayFinite) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    const Vec3 place = any_place(1);
    expect_finite<TypeParam>(made.energy, place.replicate<1, TypeParam::kSize>());  // all in one point
    expect_finite<TypeParam>(made.energy, made.rest);
    for (const double tiny : {1e-60, 1e-78, 1e-100, 1e-160}) {  // products underflow
      const Local<TypeParam::kSize> x = tiny * made.x;
      expect_finite<TypeParam>(made.energy, x);
    }
    Local<TypeParam::kSize> pair = made.x;
    if constexpr (TypeParam::kSize > 1) pair.col(1) = pair.col(0);
    expect_finite<TypeParam>(made.energy, pair);
    pair = made.x;
    for (int k = 0; k < TypeParam::kSize; ++k)
      pair.col(k) = made.x.col(0) + between(-1, 1) * Vec3(1, 2, 3);  // a line
    expect_finite<TypeParam>(made.energy, pair);
  }));
}

// --- conditions ------------------------------------------------------------------------------------

TYPED_TEST(EveryEnergy, ConditionsAndCompliancesMakeTheValue) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    double value = 0;
    Local<TypeParam::kSize> gradient = Local<TypeParam::kSize>::Zero();
    for (int c = 0; c < TypeParam::kConditions; ++c) {
      Local<TypeParam::kSize> slope;
      const double condition = made.energy[0].condition(c, made.x, slope);
      const double stiffness = 1 / made.energy[0].compliance(c);
      value += 0.5 * stiffness * condition * condition;
      gradient += stiffness * condition * slope;
    }
    const double exact = made.energy[0].value(made.x);
    const auto force = made.energy[0].gradient(made.x);
    RC_ASSERT(std::abs(value - exact) <= 1e-12 * exact);
    RC_ASSERT((gradient - force).cwiseAbs().maxCoeff() <=
              1e-12 * (force.cwiseAbs().maxCoeff() + made.stiffness()));
  }));
}

TYPED_TEST(EveryEnergy, ConditionsHaveTheirSlope) {
  EXPECT_TRUE(rc::check([] {
    const auto made = element(TypeParam());
    for (int c = 0; c < TypeParam::kConditions; ++c) {
      const auto condition = [&](const Local<TypeParam::kSize>& x) {
        Local<TypeParam::kSize> unused;
        return made.energy[0].condition(c, x, unused);
      };
      Local<TypeParam::kSize> slope;
      if (std::abs(made.energy[0].condition(c, made.x, slope)) < 1e-2) continue;  // √(2E) has a kink at 0
      const double error = best_error(slope, made.thinness, [&](double eps) {
        return difference<TypeParam::kSize>(condition, made.x, eps);
      });
      RC_ASSERT(error <= 1e-6 * slope.norm());
    }
  }));
}

// --- damping ---------------------------------------------------------------------------------------

/// The same energy with `before` as its rest state: what damping measures motion by. Where no other formula
/// stands below it is what the kernel itself measures; that a step without motion has no force then, the next
/// test says.
template <class E>
E resting_at(E energy, const Local<E::kSize>& before) {
  energy.rest = {energy[0].measure(before)};
  return energy;
}
SpringEnergy resting_at(SpringEnergy energy, const Local<2>& before) {
  energy.rest[0] = (before.col(1) - before.col(0)).norm();
  return energy;
}
BaraffWitkinEnergy resting_at(BaraffWitkinEnergy energy, const Local<3>& before) {
  auto& shape = energy.edit().shapes[0];
  const Vec3 u = before * shape.triangle.u, v = before * shape.triangle.v;
  energy.rest[0] = Vec3(u.norm(), v.norm(), u.dot(v));
  shape.stiffening.setZero();
  shape.limit = {};
  return energy;
}
StVKEnergy resting_at(StVKEnergy energy, const Local<3>& before) {
  const RestTriangle& triangle = energy[0].shape;
  const Vec3 u = before * triangle.u, v = before * triangle.v;
  energy.rest[0] = Vec3((u.dot(u) - 1) / 2, (v.dot(v) - 1) / 2, u.dot(v));
  return energy;
}
BendingEnergy resting_at(BendingEnergy energy, const Local<6>& before) {
  energy.rest = {before * energy[0].shape.transpose()};
  return energy;
}
DihedralEnergy resting_at(DihedralEnergy energy, const Local<6>& before) {
  for (int k = 0; k < 3; ++k) {
    if (is_border(energy.vertices(0), k)) continue;
    const auto [p, q, a, b] = hinge_slots(k);
    energy.rest[0][k] = dihedral_angle<double>(before.col(p), before.col(q), before.col(a), before.col(b));
  }
  return energy;
}

AnchorEnergy resting_at(AnchorEnergy energy, const Local<1>& before) {
  energy.rest = {before};
  return energy;
}

TYPED_TEST(EveryEnergy, DampingAddsTheSquareOfTheMotionOverTime) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(TypeParam());
    stiffen(made);
    const auto before = element(TypeParam()).x, other = element(TypeParam()).x;
    const double damping = between(0, 0.1), h = between(0.001, 0.1);
    const TypeParam elastic = made.energy, viscous = resting_at(elastic, before);
    damp(made, before, damping, h);
    const auto gain = [&](const auto& x) { return made.energy[0].value(x) - elastic[0].value(x); };
    const auto expected = [&](const auto& x) { return damping / h * viscous[0].value(x); };
    const double scale =
        made.energy[0].value(made.x) + made.energy[0].value(other) + elastic[0].value(before);
    RC_ASSERT(std::abs(gain(made.x) - gain(other) - expected(made.x) + expected(other)) <= 1e-10 * scale);
    RC_ASSERT(std::abs(gain(made.x) - gain(before) - expected(made.x)) <= 1e-10 * scale);
  }));
}

TYPED_TEST(EveryEnergy, DampingHasNoForceWithoutMotion) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(TypeParam());
    stiffen(made);
    const auto elastic = made.energy[0].gradient(made.x);
    damp(made, made.x, 0.05, 0.01);
    const auto force = made.energy[0].gradient(made.x);
    const double scale = elastic.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness;
    RC_ASSERT((force - elastic).cwiseAbs().maxCoeff() <= 1e-10 * scale);
  }));
}

TYPED_TEST(TurningEnergy, MayTurnInSpiteOfDamping) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(TypeParam());
    stiffen(made);
    const Local<TypeParam::kSize> turned = (any_rotation() * made.x).colwise() + any_place(1);
    const auto elastic = made.energy[0].gradient(turned);
    damp(made, made.x, 0.05, 0.01);
    const auto force = made.energy[0].gradient(turned);
    const double scale = elastic.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness;
    RC_ASSERT((force - elastic).cwiseAbs().maxCoeff() <= 1e-9 * scale);
  }));
}

TEST(BendingEnergy, DampingLetsFlatClothTurn) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(BendingEnergy());
    damp(made, made.rest, 0.05, 0.01);
    const Local<6> turned = (any_rotation() * made.rest).colwise() + any_place(1);
    RC_ASSERT(made.energy[0].gradient(turned).cwiseAbs().maxCoeff() <= 1e-11 * made.stiffness());
  }));
}

// --- bending ---------------------------------------------------------------------------------------

TEST(Plate, DihedralAngleIsSignedAndReachesAFold) {
  const Vec3 p(0, 0, 0), q(2, 0, 0), a(0.3, 1, 0);
  for (const double angle : {0.0, 1e-8, 1e-3, 0.5, 1.5, 2.5, 3.1}) {
    EXPECT_NEAR(dihedral_angle(p, q, a, flap_tip(p, q, 0.7, 0.4, angle)), angle, 1e-14 + 1e-14 * angle);
    EXPECT_NEAR(dihedral_angle(p, q, a, flap_tip(p, q, 0.7, 0.4, -angle)), -angle, 1e-14 + 1e-14 * angle);
  }
}

TEST(Plate, HingesMeasureLengthTimesAngle) {
  EXPECT_TRUE(rc::check([] {
    const Plate plate;
    const Vec3 angles = any_place(1e-4);
    const PlateTriangle shape =
        plate_triangle(plate.vertices, plate.folded(Vec3::Zero()), Vec3::UnitX(), any_rigidity());
    const Local<6> x = plate.folded(angles);
    for (int k = 0; k < 3; ++k) {
      const Vec3 b = x * shape.hinges.row(k).transpose();
      const double expected = is_border(plate.vertices, k) ? 0 : shape.length[k] * angles[k];
      RC_ASSERT(std::abs(b.z() - expected) <= 1e-7 * shape.length[k] * std::abs(angles[k]) + 1e-13);
    }
  }));
}

// A border's normal is free to turn: the energy is the least over the angles there.
TEST(Plate, BordersBearNoMoment) {
  EXPECT_TRUE(rc::check([] {
    Plate plate;
    const int kept = any_of(3), freed = any_of(8) | (1 << (kept + 1) % 3);
    plate.vertices = {0, 1, 2, 3, 4, 5};
    const Local<6> whole = plate.folded(Vec3::Zero());
    const Rigidity rigidity = any_rigidity();
    const Vec3 warp = any_direction_in_plane(), bends = any_place(1);
    const Mat3 root = plate_triangle(plate.vertices, whole, warp, rigidity).root;
    for (int k = 0; k < 3; ++k)
      if (freed & (1 << k)) plate.vertices[3 + k] = k;
    const Mat3 with_borders = plate_triangle(plate.vertices, plate.folded(Vec3::Zero()), warp, rigidity).root;

    Vec3 held = bends;
    Eigen::MatrixXd free = Eigen::MatrixXd::Zero(3, 3);
    for (int k = 0; k < 3; ++k)
      if (freed & (1 << k)) free.col(k) = root.col(k), held[k] = 0;
    const Eigen::VectorXd answer = free.completeOrthogonalDecomposition().solve(-root * held);
    const double least = (root * held + free * answer).squaredNorm();
    RC_ASSERT(std::abs((with_borders * bends).squaredNorm() - least) <= 1e-9 * (root * held).squaredNorm());
  }));
}

/// Both bending energies agree on cloth that is nearly flat.
TEST(Plate, QuadraticAndDihedralBendingAgreeNearThePlane) {
  EXPECT_TRUE(rc::check([] {
    const Plate plate;
    const Local<6> flat = plate.folded(Vec3::Zero()), x = plate.folded(any_place(1e-3));
    const PlateTriangle shape =
        plate_triangle(plate.vertices, flat, any_direction_in_plane(), any_rigidity());
    BendingEnergy quadratic;
    quadratic.add(plate.vertices, 0, shape.root * shape.hinges, 1);
    DihedralEnergy dihedral;
    const Mat3 root = shape.root * shape.length.asDiagonal();
    DihedralEnergy::Shape angles;
    for (int k = 0; k < 3; ++k) angles.is_border[k] = is_border(plate.vertices, k);
    angles.hinges = shape.length.cwiseInverse().asDiagonal() * shape.hinges;
    dihedral.add(plate.vertices, 0, angles, root.transpose() * root, Vec3::Zero());
    const double value = quadratic[0].value(x), scale = dihedral.stiffness[0].trace() * 1e-6;
    RC_ASSERT(std::abs(dihedral[0].value(x) - value) <= 1e-5 * scale);
  }));
}

}  // namespace
}  // namespace muslin

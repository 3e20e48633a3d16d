#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <type_traits>

#include "muslin/energy/energies.h"
#include "muslin/model/model.h"

// Every energy against finite differences, eigenvalues and rigid motions. Adding an energy means adding its
// type to `AllEnergies` and an `element` that makes a random one; EveryEnergyIsTested reminds of it.

namespace muslin {
namespace {

// --- random elements -------------------------------------------------------------------------------

/// 0 to count − 1, evenly from the first case on: otherwise early cases would be small.
int any_of(int count) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count)); }
double between(double low, double high) { return low + (high - low) * any_of(1'000'001) / 1'000'000.0; }
/// Any order of magnitude is as likely as another.
double scale_between(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
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
  double thinness = 1;  ///< [m] the least height of a triangle at rest: what displacements are relative to

  /// [N/m] what second derivatives are relative to
  double stiffness() const { return energy.majorant(0).cwiseAbs().maxCoeff(); }
};

Element<SpringEnergy> element(const SpringEnergy&) {
  Element<SpringEnergy> made;
  const double length = between(0.1, 2), stiffness = between(1, 1e4);
  made.energy.vertices = {{0, 1}};
  made.energy.rest_length = {length};
  made.energy.stiffness = {stiffness};
  made.energy.damping = {0};
  made.energy.kind = {SpringClass::structural};
  const Vec3 place = any_place(1), direction = any_rotation().col(0);
  made.rest << place, place + length * direction;
  made.x << place, place + scale_between(1e-3, 3) * length * any_rotation().col(1);
  return made;
}

/// A triangle in the plane z = 0, counter-clockwise, base from 0 to (l, 0, 0); one in three is a sliver.
Local<3> any_triangle() {
  const double base = between(0.5, 2), height = base * (any_of(3) == 0 ? 0.02 : between(0.3, 1));
  Local<3> corners;
  corners << Vec3::Zero(), Vec3(base, 0, 0), Vec3(between(-0.5, 1.5) * base, height, 0);
  return corners;
}
Vec3 any_direction_in_plane() {
  const double angle = between(0, 6.28);
  return {std::cos(angle), std::sin(angle), 0};
}

/// What membranes share: a triangle at rest, and deformed, from nearly flattened to twice its size.
template <class E>
RestTriangle deform_triangle(Element<E>& made) {
  const Local<3> flat = any_triangle();
  const Vec3 warp = any_direction_in_plane();
  const Mat3 placed = any_rotation();
  const Vec3 place = any_place(1);
  made.rest = (placed * flat).colwise() + place;
  made.thinness = flat(1, 2);
  const Mat3 turn = any_rotation(), back = any_rotation();
  const Mat3 strain = turn * Vec3(scale_between(1e-3, 2), between(0.3, 2), 1).asDiagonal() * back.transpose();
  made.x = (strain * flat).colwise() + any_place(1);
  made.energy.vertices = {{0, 1, 2}};
  made.energy.damping = {0};
  return rest_triangle(made.rest, placed * warp);
}

Element<BaraffWitkinEnergy> element(const BaraffWitkinEnergy&) {
  Element<BaraffWitkinEnergy> made;
  const RestTriangle triangle = deform_triangle(made);
  const Vec3 stiffness(between(1, 1e3), between(1, 1e3), between(0, 3e2));
  made.energy.elements = {{triangle, stiffness}};
  return made;
}

Element<StVKEnergy> element(const StVKEnergy&) {
  Element<StVKEnergy> made;
  const RestTriangle triangle = deform_triangle(made);
  const double warp = between(1, 1e3), weft = between(1, 1e3), poisson = between(0, 0.99);
  Mat3 stiffness = Vec3(warp, weft, between(0, 3e2)).asDiagonal();
  stiffness(0, 1) = stiffness(1, 0) = poisson * std::sqrt(warp * weft);
  made.energy.elements = {{triangle, stiffness}};
  return made;
}

/// A point across an edge, `height` away in the direction that is `angle` below the plane (its front at z).
Vec3 flap_tip(const Vec3& p, const Vec3& q, double along, double height, double angle) {
  const Vec3 edge = (q - p).normalized(), outward = edge.cross(Vec3::UnitZ());
  return p + along * (q - p) + height * (std::cos(angle) * outward - std::sin(angle) * Vec3::UnitZ());
}

/// A triangle and its neighbours: flat, or folded by up to `reach` over each edge. Some have borders.
struct Plate {
  PlateStencil vertices{0, 1, 2, 3, 4, 5};
  Local<3> triangle = any_triangle();
  std::array<double, 3> along, height;

  Plate() {
    const int border = any_of(6);  // three in six have one
    for (int k = 0; k < 3; ++k) {
      along[k] = between(-0.3, 1.3);
      height[k] = any_of(5) == 0 ? 0.03 : between(0.3, 1);
      if (k == border) vertices[3 + k] = k;
    }
  }
  Local<6> folded(const Vec3& angles) const {
    Local<6> x;
    for (int k = 0; k < 3; ++k) {
      const auto [p, q, a, b] = hinge_slots(k);
      x.col(k) = triangle.col(k);
      x.col(b) = is_border(vertices, k)
                     ? Vec3(triangle.col(k))
                     : flap_tip(triangle.col(p), triangle.col(q), along[k], height[k], angles[k]);
    }
    return x;
  }
  Local<6> folded(double reach) const {
    return folded(Vec3(between(-reach, reach), between(-reach, reach), between(-reach, reach)));
  }
  double thinness() const { return std::min({triangle(1, 2), height[0], height[1], height[2]}); }
};
constexpr double kSharp = 170 * 3.14159265358979 / 180;

/// A shape nearby: stretched a little, and anywhere.
Local<6> stretched(const Plate& plate, const Local<6>& x) {
  Local<6> moved = any_rotation() * x;
  for (int k = 0; k < 6; ++k)
    if (k < 3 || !is_border(plate.vertices, k - 3)) moved.col(k) += any_place(0.1 * plate.thinness());
  moved.colwise() += any_place(1);
  for (int k = 0; k < 3; ++k)
    if (is_border(plate.vertices, k)) moved.col(3 + k) = moved.col(k);
  return moved;
}
Rigidity any_rigidity() { return {scale_between(1e-6, 1), scale_between(1e-6, 1)}; }

Element<BendingEnergy> element(const BendingEnergy&) {
  Element<BendingEnergy> made;
  const Plate plate;
  const Mat3 placed = any_rotation();
  made.rest = (placed * plate.folded(Vec3::Zero())).colwise() + any_place(1);
  made.x = stretched(plate, plate.folded(kSharp));
  made.thinness = plate.thinness();
  const PlateTriangle shape =
      plate_triangle(plate.vertices, made.rest, placed * any_direction_in_plane(), any_rigidity());
  made.energy.vertices = {plate.vertices};
  made.energy.root = {shape.root * shape.hinges};
  made.energy.stiffness = {1};
  made.energy.damping = {0};
  return made;
}

Element<DihedralEnergy> dihedral_element(const Vec3& rest_angles) {
  Element<DihedralEnergy> made;
  const Plate plate;
  const Mat3 placed = any_rotation();
  made.rest = (placed * plate.folded(rest_angles)).colwise() + any_place(1);
  made.x = stretched(plate, plate.folded(kSharp));
  made.thinness = plate.thinness();
  const PlateTriangle shape =
      plate_triangle(plate.vertices, made.rest, placed * any_direction_in_plane(), any_rigidity());
  const Mat3 root = shape.root * shape.length.asDiagonal();
  made.energy.vertices = {plate.vertices};
  made.energy.stiffness = {root.transpose() * root};
  made.energy.hinges = {shape.length.cwiseInverse().asDiagonal() * shape.hinges};
  Vec3 rest = rest_angles;
  for (int k = 0; k < 3; ++k)
    if (is_border(plate.vertices, k)) rest[k] = 0;
  made.energy.rest = {rest};
  made.energy.damping = {0};
  return made;
}
Element<DihedralEnergy> element(const DihedralEnergy&) {
  const double reach = any_of(2) == 0 ? 0 : 2;
  return dihedral_element(Vec3(between(-reach, reach), between(-reach, reach), between(-reach, reach)));
}

using AllEnergies =
    testing::Types<SpringEnergy, BaraffWitkinEnergy, StVKEnergy, BendingEnergy, DihedralEnergy>;

TEST(Energies, EveryEnergyIsTested) {
  int held = 0;
  Energies().each([&](const auto&) { ++held; });
  EXPECT_EQ(held, 5) << "a new energy belongs into AllEnergies";
}

/// Damps a step that begins somewhere else, so that rest and stiffness are no longer those of the material.
template <class E>
void damp(Element<E>& made, const Local<E::kSize>& before, double damping, double h) {
  made.energy.damping = {damping};
  made.energy.damp(before, h);
}

/// Strain stiffening, which is not part of any condition.
void stiffen(Element<BaraffWitkinEnergy>& made) {
  made.energy.elements[0].stiffening = Eigen::Vector2d(between(0, 1e3), between(0, 1e3));
}
template <class E>
void stiffen(Element<E>&) {}

/// Also with what damping and stiffening do.
template <class E>
Element<E> any_element() {
  Element<E> made = element(E());
  stiffen(made);
  if (any_of(3) == 0) damp(made, element(E()).x, between(0, 0.1), 0.01);
  return made;
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

/// Smallest of the differences between `exact` and its approximations over a sweep of eps, in parts of the
/// element's thinness: truncation rules at one end, rounding at the other.
template <class Matrix, class Approximate>
double best_error(const Matrix& exact, double thinness, const Approximate& approximate) {
  double best = std::numeric_limits<double>::infinity();
  for (double eps = 1e-2; eps > 1e-8; eps /= 4)
    best = std::min(best, (exact - approximate(eps * thinness)).cwiseAbs().maxCoeff());
  return best;
}

template <class E>
class EveryEnergy : public testing::Test {};
TYPED_TEST_SUITE(EveryEnergy, AllEnergies);

TYPED_TEST(EveryEnergy, GradientIsTheDerivativeOfTheValue) {
  EXPECT_TRUE(rc::check([] {
    const auto made = any_element<TypeParam>();
    const auto value = [&](const auto& x) { return made.energy.value(0, x); };
    const auto gradient = made.energy.gradient(0, made.x);
    const double error = best_error(gradient, made.thinness, [&](double eps) {
      return difference<TypeParam::kSize>(value, made.x, eps);
    });
    RC_ASSERT(error <= 1e-7 * (gradient.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness));
  }));
}

TYPED_TEST(EveryEnergy, HessianIsTheDerivativeOfTheGradient) {
  EXPECT_TRUE(rc::check([] {
    const auto made = any_element<TypeParam>();
    const auto hessian = made.energy.hessian(0, made.x);
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
      const auto h = made.energy.hessian_psd(0, x), exact = made.energy.hessian(0, x);
      const double scale = h.cwiseAbs().maxCoeff() + exact.cwiseAbs().maxCoeff();
      RC_ASSERT((h - h.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * scale);
      RC_ASSERT((exact - exact.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * scale);
      const Eigen::SelfAdjointEigenSolver<LocalHessian<TypeParam::kSize>> eigen(h);
      RC_ASSERT(eigen.eigenvalues().minCoeff() >= -1e-10 * scale);
    }
  }));
}

/// A shape in which no term of the energy has negative curvature.
Local<2> tame_shape(Element<SpringEnergy>& made) {
  made.energy.rest_length[0] = between(0.1, 1) * (made.x.col(1) - made.x.col(0)).norm();
  return made.x;
}
/// The rest triangle stretched along two directions of its plane at right angles.
template <class E>
Local<3> pulled(const Element<E>& made) {
  const RestTriangle& triangle = made.energy.elements[0].triangle;
  Mat3 f;  // ∂x/∂u, ∂x/∂v, normal at rest
  f << made.rest * triangle.u, made.rest * triangle.v, Vec3::Zero();
  f.col(2) = f.col(0).cross(f.col(1));
  const Mat3 stretch = f * Vec3(between(1, 2), between(1, 2), 1).asDiagonal() * f.transpose();
  return any_rotation() * stretch * made.rest;
}
Local<3> tame_shape(Element<BaraffWitkinEnergy>& made) { return pulled(made); }
Local<3> tame_shape(Element<StVKEnergy>& made) { return pulled(made); }
Local<6> tame_shape(Element<BendingEnergy>& made) { return made.x; }
Local<6> tame_shape(Element<DihedralEnergy>& made) { return any_rotation() * made.rest; }

TYPED_TEST(EveryEnergy, NothingIsProjectedWhereNothingIsNegative) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(TypeParam());
    stiffen(made);
    const auto x = tame_shape(made);
    const auto h = made.energy.hessian_psd(0, x), exact = made.energy.hessian(0, x);
    RC_ASSERT((h - exact).cwiseAbs().maxCoeff() <= 1e-10 * exact.cwiseAbs().maxCoeff());
  }));
}

// --- shapes ----------------------------------------------------------------------------------------

TYPED_TEST(EveryEnergy, RigidMotionChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    // Damped quadratic bending takes a turn for bending.
    const bool damped = !std::is_same_v<TypeParam, BendingEnergy>;
    const auto made = damped ? any_element<TypeParam>() : element(TypeParam());
    const Mat3 rotation = any_rotation();
    const Local<TypeParam::kSize> moved = (rotation * made.x).colwise() + any_place(2);
    const auto before = made.energy.gradient(0, made.x), after = made.energy.gradient(0, moved);
    const double force = before.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness;
    const double value = made.energy.value(0, made.x), value_moved = made.energy.value(0, moved);
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
    RC_ASSERT(made.energy.value(0, made.rest) <= 1e-24 * made.stiffness());
    RC_ASSERT(made.energy.value(0, made.rest) >= 0);
    RC_ASSERT(made.energy.gradient(0, made.rest).cwiseAbs().maxCoeff() <= 1e-12 * made.stiffness());
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
    const Pairs<n> majorant = made.energy.majorant(0);
    LocalHessian<n> above = LocalHessian<n>::Zero();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        above.template block<3, 3>(3 * i, 3 * j) = majorant(i, j) * Mat3::Identity();
    above -= made.energy.hessian(0, any_rotation() * made.rest);
    const Eigen::SelfAdjointEigenSolver<LocalHessian<n>> eigen(above);
    RC_ASSERT(eigen.eigenvalues().minCoeff() >= -1e-9 * made.stiffness());
    RC_ASSERT((majorant * Eigen::Matrix<double, n, 1>::Ones()).cwiseAbs().maxCoeff() <=
              1e-10 * made.stiffness());
  }));
}

template <class E>
void expect_finite(const E& energy, const Local<E::kSize>& x) {
  EXPECT_TRUE(std::isfinite(energy.value(0, x)));
  EXPECT_TRUE(energy.gradient(0, x).allFinite());
  EXPECT_TRUE(energy.hessian(0, x).allFinite());
  EXPECT_TRUE(energy.hessian_psd(0, x).allFinite());
  for (int c = 0; c < E::kConditions; ++c) {
    Local<E::kSize> slope;
    EXPECT_TRUE(std::isfinite(energy.condition(0, c, x, slope)));
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
    pair.col(1) = pair.col(0);
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
      const double condition = made.energy.condition(0, c, made.x, slope);
      const double stiffness = 1 / made.energy.compliance(0, c);
      value += 0.5 * stiffness * condition * condition;
      gradient += stiffness * condition * slope;
    }
    const double exact = made.energy.value(0, made.x);
    const auto force = made.energy.gradient(0, made.x);
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
        return made.energy.condition(0, c, x, unused);
      };
      Local<TypeParam::kSize> slope;
      if (std::abs(made.energy.condition(0, c, made.x, slope)) < 1e-2) continue;  // √(2E) has a kink at 0
      const double error = best_error(slope, made.thinness, [&](double eps) {
        return difference<TypeParam::kSize>(condition, made.x, eps);
      });
      RC_ASSERT(error <= 1e-6 * slope.norm());
    }
  }));
}

// --- damping ---------------------------------------------------------------------------------------

/// The same energy with `before` as its rest state: what damping measures motion by.
SpringEnergy resting_at(SpringEnergy energy, const Local<2>& before) {
  energy.rest_length[0] = (before.col(1) - before.col(0)).norm();
  return energy;
}
BaraffWitkinEnergy resting_at(BaraffWitkinEnergy energy, const Local<3>& before) {
  auto& element = energy.elements[0];
  const Vec3 u = before * element.triangle.u, v = before * element.triangle.v;
  element.rest = Vec3(u.norm(), v.norm(), u.dot(v));
  element.stiffening.setZero();
  return energy;
}
StVKEnergy resting_at(StVKEnergy energy, const Local<3>& before) {
  auto& element = energy.elements[0];
  const Vec3 u = before * element.triangle.u, v = before * element.triangle.v;
  element.rest = Vec3((u.dot(u) - 1) / 2, (v.dot(v) - 1) / 2, u.dot(v));
  return energy;
}
BendingEnergy resting_at(BendingEnergy energy, const Local<6>& before) {
  energy.rest = {before * energy.root[0].transpose()};
  return energy;
}
DihedralEnergy resting_at(DihedralEnergy energy, const Local<6>& before) {
  for (int k = 0; k < 3; ++k) {
    if (is_border(energy.vertices[0], k)) continue;
    const auto [p, q, a, b] = hinge_slots(k);
    energy.rest[0][k] = dihedral_angle(before.col(p), before.col(q), before.col(a), before.col(b));
  }
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
    const auto gain = [&](const auto& x) { return made.energy.value(0, x) - elastic.value(0, x); };
    const auto expected = [&](const auto& x) { return damping / h * viscous.value(0, x); };
    const double scale =
        made.energy.value(0, made.x) + made.energy.value(0, other) + elastic.value(0, before);
    RC_ASSERT(std::abs(gain(made.x) - gain(other) - expected(made.x) + expected(other)) <= 1e-10 * scale);
    RC_ASSERT(std::abs(gain(made.x) - gain(before) - expected(made.x)) <= 1e-10 * scale);
  }));
}

TYPED_TEST(EveryEnergy, DampingHasNoForceWithoutMotion) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(TypeParam());
    stiffen(made);
    const auto elastic = made.energy.gradient(0, made.x);
    damp(made, made.x, 0.05, 0.01);
    const auto force = made.energy.gradient(0, made.x);
    const double scale = elastic.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness;
    RC_ASSERT((force - elastic).cwiseAbs().maxCoeff() <= 1e-10 * scale);
  }));
}

// Quadratic bending cannot tell that curved cloth turns from a change of its curvature.
TYPED_TEST(EveryEnergy, DampingLetsTheElementTurn) {
  if constexpr (!std::is_same_v<TypeParam, BendingEnergy>) {
    EXPECT_TRUE(rc::check([] {
      auto made = element(TypeParam());
      stiffen(made);
      const Local<TypeParam::kSize> turned = (any_rotation() * made.x).colwise() + any_place(1);
      const auto elastic = made.energy.gradient(0, turned);
      damp(made, made.x, 0.05, 0.01);
      const auto force = made.energy.gradient(0, turned);
      const double scale = elastic.cwiseAbs().maxCoeff() + made.stiffness() * made.thinness;
      RC_ASSERT((force - elastic).cwiseAbs().maxCoeff() <= 1e-9 * scale);
    }));
  }
}

TEST(BendingEnergy, DampingLetsFlatClothTurn) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(BendingEnergy());
    damp(made, made.rest, 0.05, 0.01);
    const Local<6> turned = (any_rotation() * made.rest).colwise() + any_place(1);
    RC_ASSERT(made.energy.gradient(0, turned).cwiseAbs().maxCoeff() <= 1e-11 * made.stiffness());
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
    quadratic.vertices = {plate.vertices};
    quadratic.root = {shape.root * shape.hinges};
    quadratic.stiffness = {1};
    DihedralEnergy dihedral;
    const Mat3 root = shape.root * shape.length.asDiagonal();
    dihedral.vertices = {plate.vertices};
    dihedral.stiffness = {root.transpose() * root};
    dihedral.rest = {Vec3::Zero()};
    const double value = quadratic.value(0, x), scale = dihedral.stiffness[0].trace() * 1e-6;
    RC_ASSERT(std::abs(dihedral.value(0, x) - value) <= 1e-5 * scale);
  }));
}

// --- all elements together -------------------------------------------------------------------------

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
      const auto& stencil = energy.vertices[e];
      const auto block = energy.hessian_psd(e, gather(x, stencil));
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

}  // namespace
}  // namespace muslin

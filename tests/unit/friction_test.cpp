#include "muslin/contact/pairs/friction.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "every_pair.h"
#include "unit/contact_sheets.h"

namespace muslin {
namespace {

using namespace contact_test;

constexpr double kRadius = 0.1, kStiffness = 50, kMu = 0.4, kEps = 1e-3;
constexpr PairKind kKinds[] = {PairKind::point_triangle, PairKind::edge_edge};

/// A pair 0.06 apart along y, and its friction.
struct Rubbing {
  ContactPair pair;
  Points start{3, 4};
  LaggedFriction friction;
  double pressure;  ///< λ [N]
};
Rubbing rubbing(PairKind kind) {
  Rubbing r{{kind, {0, 1, 2, 3}, kRadius, /*weight=*/1, kMu}, {}, {}, 0};
  r.start.resize(3, 4);
  if (kind == PairKind::point_triangle)
    r.start << 0.2, 0, 1, 0,  //
        0.06, 0, 0, 0,        //
        0.3, 0, 0, 1;
  else
    r.start << -1, 1, 0, 0.1,  //
        0.06, 0.06, 0, 0,      //
        0.2, 0, -1, 1;
  const std::vector<ContactPair> pairs{r.pair};
  r.friction = LaggedFriction(pairs, active_pairs(pairs, r.start), r.start, kStiffness, kEps);
  const double away = 0.06 - kRadius;  // λ = −∂E/∂d of E = −k (d − radius)² ln(d/radius)
  r.pressure = kStiffness * (2 * away * std::log(0.06 / kRadius) + away * away / 0.06);
  return r;
}

std::vector<ContactRow> rows_at(const LaggedFriction& friction, const Points& x,
                                const Points* moved = nullptr) {
  std::vector<ContactRow> rows;
  friction.append_rows(x, moved, rows);
  return rows;
}
Points gradient_at(const LaggedFriction& friction, const Points& x) {
  Points gradient = Points::Zero(3, 4);
  ContactRows(4, rows_at(friction, x)).add_gradient(gradient);
  return gradient;
}
Mat12 hessian_at(const LaggedFriction& friction, const Points& x, const Points* moved = nullptr) {
  const ContactRows rows(4, rows_at(friction, x, moved));
  Mat12 matrix;
  for (int k = 0; k < 12; ++k) {
    Points unit = Points::Zero(3, 4), y = unit;
    unit.reshaped()[k] = 1;
    rows.multiply_add(unit, y);
    matrix.col(k) = y.reshaped();
  }
  return matrix;
}

/// Side A slips by `slip` in the surface, at an angle, and lifts a little.
Points slipped(const Rubbing& r, double slip, double angle) {
  Points x = r.start;
  const int end = r.pair.kind == PairKind::point_triangle ? 1 : 2;
  const Vec3 motion(slip * std::cos(angle), 0.02, slip * std::sin(angle));
  for (int k = 0; k < end; ++k) x.col(k) += motion;
  return x;
}

TEST(ContactFriction, IsCoulombsForceAgainstTheSlip) {
  for (const PairKind kind : kKinds)
    for (const double angle : {0.0, 1.0, 2.5, -2.0}) {
      const Rubbing r = rubbing(kind);
      const int end = kind == PairKind::point_triangle ? 1 : 2;
      const Vec3 direction(std::cos(angle), 0, std::sin(angle));
      for (const double slip : {1e-5, 1e-4, 5e-4, 0.999e-3, 1e-3, 2e-3, 0.1, 10.0}) {
        const Points gradient = gradient_at(r.friction, slipped(r, slip, angle));
        const Vec3 force = -gradient.leftCols(end).rowwise().sum();
        const double y = std::min(slip / kEps, 1.0), expected = kMu * r.pressure * (2 * y - y * y);
        EXPECT_LE((force + expected * direction).norm(), 1e-11 * kMu * r.pressure) << slip;
        EXPECT_LE(gradient.rowwise().sum().norm(), 1e-14 * gradient.norm());
      }
      EXPECT_EQ(gradient_at(r.friction, r.start).norm(), 0);
    }
}

// ∫ of the force over the way: Simpson's rule, exact for the cubic and for the line.
TEST(ContactFriction, EnergyIsTheWorkOfTheForce) {
  const Rubbing r = rubbing(PairKind::point_triangle);
  const auto force = [&](double slip) { return -gradient_at(r.friction, slipped(r, slip, 0))(0, 0); };
  const auto work = [&](double a, double b) {
    return -(b - a) / 6 * (force(a) + 4 * force((a + b) / 2) + force(b));
  };
  const auto value = [&](double slip) { return r.friction.value(slipped(r, slip, 0)); };
  EXPECT_NEAR(value(kEps) - value(0), work(0, kEps), 1e-15);
  EXPECT_NEAR(value(0.3) - value(kEps), work(kEps, 0.3), 1e-14);
  EXPECT_NEAR(value(0.3), kMu * r.pressure * 0.3, 1e-14);  // Coulomb's work, beyond eps
}

// Of a slip that the iteration before has not changed.
TEST(ContactFriction, DerivativesAreThoseOfDifferences) {
  for (const PairKind kind : kKinds)
    for (int id = 0; id < 40; ++id) {
      const Rubbing r = rubbing(kind);
      const double scale = id % 2 ? 3e-4 : 1e-2;  // sticks, slides
      const Points x = r.start + noise(4, scale, id);
      const Points gradient = gradient_at(r.friction, x);
      const Points none = Points::Zero(3, 4);
      const Mat12 hessian = hessian_at(r.friction, x, &none);
      double first = 1e300, second = 1e300;
      for (double eps = 1e-5; eps > 1e-9; eps /= 10) {
        Points slopes(3, 4);
        Mat12 curvatures;
        for (int k = 0; k < 12; ++k) {
          Points more = x, less = x;
          more.data()[k] += eps;
          less.data()[k] -= eps;
          slopes.data()[k] = (r.friction.value(more) - r.friction.value(less)) / (2 * eps);
          curvatures.col(k) =
              (gradient_at(r.friction, more) - gradient_at(r.friction, less)).reshaped() / (2 * eps);
        }
        first = std::min(first, (slopes - gradient).norm());
        second = std::min(second, (curvatures - hessian).norm());
      }
      EXPECT_LE(first, 1e-6 * gradient.norm());
      EXPECT_LE(second, 1e-5 * hessian.norm());
      EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat12>(hessian).eigenvalues()[0], -1e-12 * hessian.norm());
    }
}

TEST(ContactFriction, RowsBoundTheEnergyAndTouchIt) {
  for (const PairKind kind : kKinds)
    for (int id = 0; id < 40; ++id) {
      const Rubbing r = rubbing(kind);
      const Points x = r.start + noise(4, id % 2 ? 3e-4 : 1e-2, id);
      const Points gradient = gradient_at(r.friction, x);
      const Mat12 hessian = hessian_at(r.friction, x);
      double least = 1e300;  // of what the bound has above the energy
      for (const double scale : {1e-5, 3e-4, 1e-3, 1e-2, 0.1})
        for (int to = 0; to < 20; ++to) {
          const Points d = noise(4, scale, 1000 + 100 * id + to);
          const double bound = r.friction.value(x) + gradient.cwiseProduct(d).sum() +
                               0.5 * d.reshaped().dot(hessian * d.reshaped());
          const double above = bound - r.friction.value(x + d);
          EXPECT_GE(above, -1e-12 * bound);
          least = std::min(least, above / bound);
        }
      EXPECT_LE(least, 1e-3);
    }
}

TEST(ContactFriction, RowsAreBetweenTheCurvatureAndTheBoundAsTheSlipHasChanged) {
  for (const PairKind kind : kKinds) {
    const Rubbing r = rubbing(kind);
    const Points x = slipped(r, 2e-3, 0.7), none = Points::Zero(3, 4);
    const Points half = (slipped(r, 1e-3, 0.7) - r.start) + 0.3 * (slipped(r, 0, 0) - r.start);
    const Points whole = x - r.start;
    const Mat12 bound = hessian_at(r.friction, x), exact = hessian_at(r.friction, x, &none);
    EXPECT_LE((hessian_at(r.friction, x, &half) - (bound + exact) / 2).norm(), 1e-12 * bound.norm());
    EXPECT_EQ(hessian_at(r.friction, x, &whole), bound);
  }
}

TEST(ContactFriction, ForceAndStiffnessAreContinuousWhereItBeginsToSlide) {
  for (const PairKind kind : kKinds) {
    const Rubbing r = rubbing(kind);
    const Points below = slipped(r, kEps * (1 - 1e-9), 0.7), above = slipped(r, kEps * (1 + 1e-9), 0.7);
    const double size = gradient_at(r.friction, above).norm();
    EXPECT_LE((gradient_at(r.friction, below) - gradient_at(r.friction, above)).norm(), 1e-8 * size);
    EXPECT_LE((hessian_at(r.friction, below) - hessian_at(r.friction, above)).norm(), 1e-8 * size / kEps);
    // The Hessian at no slip is that of a tiny slip, in all directions.
    const Mat12 still = hessian_at(r.friction, r.start);
    const Points hardly = slipped(r, kEps * 1e-8, 0.7);
    EXPECT_LE((hessian_at(r.friction, hardly) - still).norm(), 1e-6 * still.norm());
  }
}

/// Friction of the pair at x, the step before having left so much.
LaggedFriction friction_at(const Rubbing& r, const Points& x, double eps,
                           const std::vector<ElasticSlip>& left) {
  const std::vector<ContactPair> pairs{r.pair};
  return LaggedFriction(pairs, active_pairs(pairs, x), x, kStiffness, eps, left);
}

// At rest, whatever the length of the next step is.
TEST(ContactFriction, HoldsWithTheForceThatAStepHasLeft) {
  for (const PairKind kind : kKinds)
    for (const double slip : {1e-4, 5e-4, 1e-3, 3e-3}) {
      const Rubbing r = rubbing(kind);
      const double y = std::min(slip / kEps, 1.0), expected = kMu * r.pressure * (2 * y - y * y);
      const Vec3 direction(std::cos(0.7), 0, std::sin(0.7));
      const std::vector<ElasticSlip> left = r.friction.left_by(r.start, slipped(r, slip, 0.7));
      ASSERT_EQ(left.size(), 1u);
      EXPECT_EQ(left[0].vertices, r.pair.vertices);
      EXPECT_NEAR(left[0].part.norm(), y, 1e-12);
      for (const double eps : {kEps, kEps / 4}) {
        const LaggedFriction next = friction_at(r, r.start, eps, left);
        const Vec3 force =
            -gradient_at(next, r.start).leftCols(kind == PairKind::edge_edge ? 2 : 1).rowwise().sum();
        EXPECT_LE((force + expected * direction).norm(), 1e-11 * kMu * r.pressure) << slip;
        const std::vector<ElasticSlip> same = next.left_by(r.start, r.start);
        EXPECT_LE((same[0].part - left[0].part).norm(), 1e-12);
      }
    }
}

// Steps one after another slip as one does, and back.
TEST(ContactFriction, SlipsAddUp) {
  const Rubbing r = rubbing(PairKind::point_triangle);
  const Points further = slipped(r, 6e-4, 0.7);
  std::vector<ElasticSlip> left = r.friction.left_by(r.start, slipped(r, 3e-4, 0.7));
  EXPECT_LE((friction_at(r, r.start, kEps, left).left_by(r.start, slipped(r, 3e-4, 0.7))[0].part -
             r.friction.left_by(r.start, further)[0].part)
                .norm(),
            1e-12);
  left = friction_at(r, r.start, kEps, left).left_by(r.start, slipped(r, -3e-4, 0.7));
  EXPECT_LE(left[0].part.norm(), 1e-12);
}

TEST(ContactFriction, OfAnotherPairNothingIsTaken) {
  const Rubbing r = rubbing(PairKind::point_triangle);
  std::vector<ElasticSlip> left = r.friction.left_by(r.start, slipped(r, 5e-4, 0.7));
  for (const ElasticSlip& other : {ElasticSlip{PairKind::edge_edge, {0, 1, 2, 3}, left[0].part},
                                   ElasticSlip{PairKind::point_triangle, {0, 1, 2, 4}, left[0].part}})
    EXPECT_EQ(gradient_at(friction_at(r, r.start, kEps, {other}), r.start).norm(), 0);
}

// What is left turns with the pair, and a turn of the whole is no slip, however far surfaces are apart.
TEST(ContactFriction, ATurnIsNoSlip) {
  const Mat3 turn = (Eigen::AngleAxisd(0.3, Vec3(1, 2, -1).normalized())).toRotationMatrix();
  for (const PairKind kind : kKinds) {
    const Rubbing r = rubbing(kind);
    const std::vector<ElasticSlip> left = r.friction.left_by(r.start, slipped(r, 5e-4, 0.7));
    const Points turned = (turn * r.start).colwise() + Vec3(0.3, 0.1, -0.2);
    const std::vector<ElasticSlip> after = friction_at(r, r.start, kEps, left).left_by(r.start, turned);
    EXPECT_LE((after[0].part - turn * left[0].part).norm(), 1e-10);
    EXPECT_LE(r.friction.left_by(r.start, turned)[0].part.norm(), 1e-10);
  }
}

TEST(ContactFriction, OfABodyThatCarriesTheClothIsNone) {
  const Rubbing r = rubbing(PairKind::point_triangle);
  const Points carried = r.start.colwise() + Vec3(0.3, -0.2, 0.1);  // one motion of both
  EXPECT_LE(gradient_at(r.friction, carried).norm(), 1e-10);
}

TEST(ContactFriction, OfSmoothOrDistantPairsIsNone) {
  Rubbing r = rubbing(PairKind::point_triangle);
  r.pair.friction = 0;
  const std::vector<ContactPair> smooth{r.pair};
  EXPECT_TRUE(LaggedFriction(smooth, active_pairs(smooth, r.start), r.start, kStiffness, kEps).empty());
  r.pair.friction = kMu;
  r.pair.radius = 0.05;
  const std::vector<ContactPair> distant{r.pair};
  EXPECT_TRUE(LaggedFriction(distant, active_pairs(distant, r.start), r.start, kStiffness, kEps).empty());
  EXPECT_EQ(LaggedFriction().value(r.start), 0);
}

}  // namespace
}  // namespace muslin

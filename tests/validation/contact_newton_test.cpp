#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include "every_pair.h"
#include "muslin/contact/pairs/friction.h"
#include "muslin/geometry/solids.h"
#include "unit/contact_sheets.h"

#include <gtest/gtest.h>

// The parts of contact together, in Newton's method with a dense matrix: point masses and linear springs, so
// that nothing but contact is difficult.

namespace muslin {
namespace {

using namespace contact_test;

constexpr double kH = 1.0 / 60, kHalfThickness = 0.01, kStiffness = 1000, kSpring = 50, kMass = 1e-3;

/// F(x) = Σ m|x − y|²/2h² + ½ k Σ|edge − edge at rest|² + contact + friction, over the first vertices;
/// bodies, which come last, stay.
struct Cloth {
  Surfaces surfaces;
  int unknowns;  ///< vertices that move
  Points y;      ///< where inertia and weight want them [m]
  Candidates candidates;
  LaggedFriction friction;

  Cloth(const Surfaces& all, int count) : surfaces(all), unknowns(count), y(all.rest), candidates(all) {}

  double value(const Points& x) const {
    double sum = kMass / (2 * kH * kH) * (x - y).leftCols(unknowns).squaredNorm();
    for (const auto& [a, b] : surfaces.edges)
      if (b < unknowns) sum += kSpring / 2 * stretch(x, a, b).squaredNorm();
    return sum + contact_value(candidates.pairs(), active_pairs(candidates.pairs(), x), kStiffness) +
           friction.value(x);
  }
  Vec3 stretch(const Points& x, int a, int b) const {
    return (x.col(a) - x.col(b)) - (surfaces.rest.col(a) - surfaces.rest.col(b));
  }

  std::vector<ContactRow> rows(const Points& x) const {
    std::vector<ContactRow> rows;
    append_contact_rows(candidates.pairs(), active_pairs(candidates.pairs(), x), kStiffness, rows);
    friction.append_rows(x, nullptr, rows);
    return rows;
  }

  /// −(∂²F/∂x²)⁻¹ ∂F/∂x
  Points newton_direction(const Points& x) const {
    const int n = unknowns;
    Points gradient = kMass / (kH * kH) * (x - y).leftCols(n);
    Eigen::MatrixXd hessian = kMass / (kH * kH) * Eigen::MatrixXd::Identity(3 * n, 3 * n);
    for (const auto& [a, b] : surfaces.edges) {
      if (b >= n) continue;
      gradient.col(a) += kSpring * stretch(x, a, b);
      gradient.col(b) -= kSpring * stretch(x, a, b);
      for (const auto& [i, j, sign] : {std::tuple(a, a, 1), {b, b, 1}, {a, b, -1}, {b, a, -1}})
        hessian.block<3, 3>(3 * i, 3 * j).diagonal().array() += sign * kSpring;
    }
    const ContactRows contact(surfaces.vertex_count(), rows(x));
    contact.add_gradient(gradient);
    for (const ContactRow& row : contact.rows())
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          if (row.vertices[i] < n && row.vertices[j] < n)
            hessian.block<3, 3>(3 * row.vertices[i], 3 * row.vertices[j]) +=
                row.curvature * row.weight[i] * row.weight[j] * row.direction * row.direction.transpose();
    Points d = Points::Zero(3, surfaces.vertex_count());
    d.leftCols(n).reshaped() = -hessian.llt().solve(gradient.reshaped());
    return d;
  }

  /// Minimises F; every step it takes is checked. Returns the number of iterations, or 100.
  int minimise(Points& x) {
    candidates.detect(x, y - x, kHalfThickness);
    for (int iteration = 0; iteration < 100; ++iteration) {
      Points d = newton_direction(x);
      if (d.colwise().norm().maxCoeff() < 1e-8) return iteration;
      if (candidates.holds_along(x, d) < 0.5) {
        candidates.detect(x, d, kHalfThickness);
        d = newton_direction(x);  // of the longer list
      }
      const double before = value(x);
      double a = safe_step(candidates, x, d);
      for (; !(value(x + a * d) < before); a /= 2)
        if (a < 1e-9) return 100;
      x += a * d;
      EXPECT_EQ(candidates.holds_along(x, Points::Zero(3, x.cols())), 1);
      EXPECT_LT(value(x), before);
      EXPECT_EQ(count_crossings(surfaces, x), 0) << "iteration " << iteration;
      EXPECT_GT(least_distance(candidates.pairs(), x), 0);
    }
    return 100;
  }
};

/// Two sheets, 3 cm apart, that inertia wants 10 cm past each other. The upper one is turned and moved.
Cloth pushed_sheets(double angle) {
  Surfaces surfaces;
  Mesh upper = flat_sheet(9, 0.03);
  const Mat3 turn = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  upper.positions = (turn * upper.positions).colwise() + angle * Vec3(0.3, 0, 0.5);
  surfaces.add(flat_sheet(9), kHalfThickness, {.body = false, .friction = 0.3});
  surfaces.add(upper, kHalfThickness, {.body = false, .friction = 0.3});
  Cloth cloth(surfaces, 162);
  cloth.y.row(1).head(81).array() += 0.1;
  cloth.y.row(1).tail(81).array() -= 0.1;
  return cloth;
}

TEST(ContactInNewtonsMethod, SheetsThatArePushedThroughEachOtherStayApart) {
  for (const double angle : {0.0, 0.5}) {
    Cloth cloth = pushed_sheets(angle);
    Points x = cloth.surfaces.rest;
    for (int step = 0; step < 3; ++step) {  // pushed on, from where the last one ended
      const Points start = x;
      cloth.candidates.detect(x, Points::Zero(3, 162), kHalfThickness);
      const std::vector<ContactPair>& pairs = cloth.candidates.pairs();
      cloth.friction = LaggedFriction(pairs, active_pairs(pairs, x), x, kStiffness, 0.01 * kH);
      EXPECT_LT(cloth.minimise(x), 100) << angle;
      const double least = least_distance(cloth.candidates.pairs(), x);
      EXPECT_GT(least, 0.1 * kHalfThickness);
      EXPECT_LT(least, 2 * kHalfThickness);
      // Forces between the sheets cancel: their common centre of mass is where inertia wants it.
      EXPECT_LE((x - cloth.y).rowwise().mean().norm(), 1e-8);
      cloth.y.row(1) += x.row(1) - start.row(1);
    }
  }
}

// A sheet that rests on a floor, pulled sideways with a force f: below μ m g it creeps by less than eps,
// above it moves by (f/m − μ g) h², as a block does.
TEST(ContactInNewtonsMethod, ASheetOnAFloorSlidesAsCoulombSays) {
  constexpr double kMu = 0.3, kGravity = 9.81;
  Surfaces surfaces;
  surfaces.add(flat_sheet(5, 0.015), kHalfThickness, {.body = false, .friction = 0});
  surfaces.add(make_plane(10), kHalfThickness, {.body = true, .friction = kMu});
  Cloth cloth(surfaces, 25);
  Points rest = surfaces.rest;
  cloth.y.row(1).head(25).setConstant(0.015 - kGravity * kH * kH);
  for (int step = 0; step < 200; ++step) {  // until its weight is carried
    const Points start = rest;
    ASSERT_LT(cloth.minimise(rest), 100);
    cloth.y.row(1).head(25) = rest.row(1).head(25).array() - kGravity * kH * kH;
    if ((rest - start).norm() < 1e-12) break;
  }

  const double eps = LaggedFriction::kSpeed * kH;
  for (const double pull : {0.5, 3.0}) {  // of μ m g
    Points x = rest;
    cloth.y = rest;
    cloth.y.row(1).head(25).array() -= kGravity * kH * kH;
    cloth.y.row(0).head(25).array() += pull * kMu * kGravity * kH * kH;
    const std::vector<ContactPair>& pairs = cloth.candidates.pairs();
    cloth.friction = LaggedFriction(pairs, active_pairs(pairs, rest), rest, kStiffness, eps);
    ASSERT_LT(cloth.minimise(x), 100);
    const double slid = (x - rest).row(0).head(25).mean();
    if (pull < 1) {
      EXPECT_GT(slid, 0);
      EXPECT_LT(slid, eps);
    } else {
      EXPECT_NEAR(slid / ((pull - 1) * kMu * kGravity * kH * kH), 1, 1e-3);
    }
  }
}

}  // namespace
}  // namespace muslin

#include "muslin/geometry/distance.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <cmath>

#include "muslin/core/random.h"
#include "property/long_double_distance.h"

namespace muslin {
namespace {

constexpr PairKind kKinds[] = {PairKind::point_triangle, PairKind::edge_edge};

std::string name(PairKind kind) { return kind == PairKind::point_triangle ? "point_triangle" : "edge_edge"; }
int side_end(PairKind kind) { return kind == PairKind::point_triangle ? 1 : 2; }  // where side B begins

/// Four vertices in the unit cube.
Quad any_quad(int seed, int id) {
  Quad x;
  for (int k = 0; k < 12; ++k) x.data()[k] = random_unit(seed, id, k);
  return x;
}

/// A sliver, or edges that are parallel, but for `flatness`. In every other one the sides come as near each
/// other.
Quad thin_quad(PairKind kind, int id, double flatness) {
  Quad x = any_quad(11, id);
  const Vec3 off = x.col(3) - x.col(1);
  const Vec3 direction = x.col(1) - (kind == PairKind::point_triangle ? x.col(2) : x.col(0));
  const int partner = kind == PairKind::point_triangle ? 1 : 2;
  x.col(3) = x.col(partner) + (3 * random_unit(12, id, 0) - 1) * direction + flatness * off;
  if (id % 2 == 0) return x;
  const Vec3 near = flatness * any_quad(13, id).col(0);
  if (kind == PairKind::point_triangle)
    x.col(0) = 0.3 * x.col(1) + 0.5 * x.col(2) + 0.2 * x.col(3) + near;
  else
    x.rightCols<2>().colwise() += Vec3(0.4 * (x.col(0) - x.col(2)) + 0.6 * (x.col(1) - x.col(3)) + near);
  return x;
}

double extent(const Quad& x) { return (x.colwise() - x.col(0)).colwise().norm().maxCoeff(); }

/// What every result promises, whatever the shape.
void expect_sound(PairKind kind, const Quad& x, const Closest& closest) {
  const auto& [distance, normal, weight] = closest;
  const int end = side_end(kind);
  EXPECT_NEAR(weight.head(end).sum(), 1, 4e-16);
  EXPECT_NEAR(weight.tail(4 - end).sum(), -1, 4e-16);
  EXPECT_GE(weight.head(end).minCoeff(), 0);
  EXPECT_LE(weight.tail(4 - end).maxCoeff(), 0);
  EXPECT_NEAR(normal.norm(), 1, 1e-15);
  const Vec3 corner = x.col(0);
  EXPECT_LE(((x.colwise() - corner) * weight - distance * normal).norm(), 2e-15 * extent(x)) << x;
}

TEST(ClosestPoints, OfPairsThatAreEasyToSee) {
  Quad x;
  x << 0.25, 0, 1, 0,  //
      0.25, 0, 0, 1,   //
      3, 0, 0, 0;
  Closest c = closest_points(PairKind::point_triangle, x);  // above the inside
  EXPECT_DOUBLE_EQ(c.distance, 3);
  EXPECT_TRUE(c.normal.isApprox(Vec3::UnitZ()));
  EXPECT_TRUE(c.weight.isApprox(Eigen::Vector4d(1, -0.5, -0.25, -0.25)));

  x.col(0) << 4, 0, 4;  // beside the vertex 2
  c = closest_points(PairKind::point_triangle, x);
  EXPECT_DOUBLE_EQ(c.distance, 5);
  EXPECT_TRUE(c.normal.isApprox(Vec3(0.6, 0, 0.8)));
  EXPECT_EQ(c.weight, Eigen::Vector4d(1, 0, -1, 0));

  x.col(0) << 2, 2, 0;  // beside the edge 2 3
  c = closest_points(PairKind::point_triangle, x);
  EXPECT_DOUBLE_EQ(c.distance, 1.5 * std::sqrt(2));
  EXPECT_TRUE(c.weight.isApprox(Eigen::Vector4d(1, 0, -0.5, -0.5)));
  EXPECT_EQ(c.weight[1], 0);

  x << -1, 1, 0, 0,  // a cross
      0, 0, -1, 3,   //
      2, 2, 0, 0;
  c = closest_points(PairKind::edge_edge, x);
  EXPECT_DOUBLE_EQ(c.distance, 2);
  EXPECT_TRUE(c.normal.isApprox(Vec3::UnitZ()));
  EXPECT_TRUE(c.weight.isApprox(Eigen::Vector4d(0.5, 0.5, -0.75, -0.25)));

  x << 0, 1, 4, 7,  // one behind the other, on one line
      0, 0, 0, 0,   //
      0, 0, 0, 0;
  c = closest_points(PairKind::edge_edge, x);
  EXPECT_DOUBLE_EQ(c.distance, 3);
  EXPECT_EQ(c.weight, Eigen::Vector4d(0, 1, -1, 0));
}

TEST(ClosestPoints, AgreeWithBruteForceOverFeatures) {
  for (const PairKind kind : kKinds)
    for (int id = 0; id < 20000; ++id) {
      const Quad x = any_quad(1, id);
      const Closest closest = closest_points(kind, x);
      expect_sound(kind, x, closest);
      EXPECT_NEAR(closest.distance, static_cast<double>(reference::distance(kind, x)), 1e-15) << name(kind);
    }
}

TEST(ClosestPoints, AgreeWithBruteForceOnSliversAndNearlyParallelEdges) {
  for (const PairKind kind : kKinds)
    for (int power = 1; power <= 17; ++power)
      for (int id = 0; id < 2000; ++id) {
        const Quad x = thin_quad(kind, id, std::pow(10.0, -power));
        const Closest closest = closest_points(kind, x);
        expect_sound(kind, x, closest);
        EXPECT_NEAR(closest.distance, static_cast<double>(reference::distance(kind, x)), 2e-15 * extent(x))
            << name(kind) << ", flat to 1e-" << power;
      }
}

TEST(ClosestPoints, NoPointOfAFineNetIsNearer) {
  constexpr int kNet = 24;
  for (const PairKind kind : kKinds)
    for (int id = 0; id < 200; ++id) {
      const Quad x = any_quad(2, id);
      double least = 1e9;
      for (int i = 0; i <= kNet; ++i)
        for (int j = 0; j <= kNet; ++j) {
          const double s = 1.0 * i / kNet, t = 1.0 * j / kNet;
          Eigen::Vector4d w(1 - s, s, t - 1, -t);
          if (kind == PairKind::point_triangle) w << 1, -(1 - s), -s * (1 - t), -s * t;
          least = std::min(least, (x * w).norm());
        }
      const double distance = closest_points(kind, x).distance;
      EXPECT_LE(distance, least + 1e-15);
      EXPECT_GE(distance, least - 2.0 / kNet);
    }
}

TEST(ClosestPoints, StandFeaturesWithoutLengthOrArea) {
  for (const PairKind kind : kKinds)
    for (int id = 0; id < 3 * 81; ++id) {
      // Every way in which vertices may coincide, or lie on a line, with numbers that add up exactly.
      Quad x = Quad::Zero();
      for (int k = 0, code = id % 81; k < 4; ++k, code /= 3) {
        x(0, k) = code % 3;
        x(1, k) = id / 81 == 1 ? 0.5 * k : 0;
        x(2, k) = id / 81 == 2 && k == 0 ? 1 : 0;
      }
      const Closest closest = closest_points(kind, x);
      expect_sound(kind, x, closest);
      EXPECT_NEAR(closest.distance, static_cast<double>(reference::distance(kind, x)), 1e-15) << x;
    }
}

TEST(ClosestPoints, NormalOfPairsThatTouch) {
  Quad x;
  x << 0.25, 0, 1, 0,  //
      0.25, 0, 0, 1,   //
      0, 0, 0, 0;
  Closest c = closest_points(PairKind::point_triangle, x);
  EXPECT_EQ(c.distance, 0);
  EXPECT_DOUBLE_EQ(std::abs(c.normal.z()), 1);

  x.col(0) = x.col(1);  // at a vertex
  c = closest_points(PairKind::point_triangle, x);
  EXPECT_EQ(c.distance, 0);
  EXPECT_DOUBLE_EQ(std::abs(c.normal.z()), 1);

  x << 0, 1, 0.5, 2,  // edges that lie in each other
      0, 0, 0, 0,     //
      0, 0, 0, 0;
  c = closest_points(PairKind::edge_edge, x);
  EXPECT_EQ(c.distance, 0);
  EXPECT_NEAR(c.normal.norm(), 1, 1e-15);
  EXPECT_EQ(c.normal.x(), 0);

  c = closest_points(PairKind::edge_edge, Quad::Ones());
  EXPECT_EQ(c.distance, 0);
  EXPECT_NEAR(c.normal.norm(), 1, 1e-15);
}

// --- derivatives -----------------------------------------------------------------------------------

/// Which vertices bear on the distance: four bits.
int region(const Closest& closest) {
  int bits = 0;
  for (int i = 0; i < 4; ++i) bits |= (closest.weight[i] != 0) << i;
  return bits;
}
/// The numbers that are free within the features of a region: 0, 1 or 2.
int freedom(const Closest& closest) { return static_cast<int>((closest.weight.array() != 0).count()) - 2; }

/// Central differences of the brute-force distance.
Vec12 gradient_difference(PairKind kind, const Quad& x) {
  constexpr long double eps = 1e-6L;
  Vec12 gradient;
  for (int k = 0; k < 12; ++k) {
    reference::QuadL more = x.cast<long double>(), less = more;
    more.data()[k] += eps;
    less.data()[k] -= eps;
    gradient[k] =
        static_cast<double>((reference::distance(kind, more) - reference::distance(kind, less)) / (2 * eps));
  }
  return gradient;
}

TEST(DistanceDerivatives, GradientIsTheDerivativeOfTheBruteForceDistance) {
  for (const PairKind kind : kKinds)
    for (int id = 0; id < 3000; ++id) {
      const Quad x = any_quad(3, id);
      const Closest closest = closest_points(kind, x);
      if (closest.distance < 0.05) continue;
      const double error =
          (distance_gradient(closest) - gradient_difference(kind, x)).lpNorm<Eigen::Infinity>();
      // Second derivatives jump between regions: a difference across a border is off by as much as eps / d.
      EXPECT_LE(error, 1e-6 / closest.distance) << name(kind) << '\n' << x;
    }
}

TEST(DistanceDerivatives, HessianIsTheDerivativeOfTheGradientInEveryRegion) {
  for (const PairKind kind : kKinds) {
    int tested[3] = {0, 0, 0};
    for (int id = 0; id < 6000; ++id) {
      const Quad x = any_quad(4, id);
      const Closest closest = closest_points(kind, x);
      const Mat12 hessian = distance_hessian(closest, x);
      const double size = hessian.cwiseAbs().maxCoeff();
      EXPECT_LE((hessian - hessian.transpose()).cwiseAbs().maxCoeff(), 1e-14 * size);
      const double eps = 1e-5 / size;  // of the length over which the direction changes
      Mat12 difference;
      bool same = true;
      for (int k = 0; k < 12 && same; ++k) {
        Quad more = x, less = x;
        more.data()[k] += eps;
        less.data()[k] -= eps;
        const Closest a = closest_points(kind, more), b = closest_points(kind, less);
        same = region(a) == region(closest) && region(b) == region(closest);
        difference.col(k) = (distance_gradient(a) - distance_gradient(b)) / (more.data()[k] - less.data()[k]);
      }
      if (!same) continue;
      EXPECT_LE((hessian - difference).cwiseAbs().maxCoeff(), 1e-8 * size) << name(kind) << '\n' << x;
      ++tested[freedom(closest)];
    }
    for (const int count : tested) EXPECT_GT(count, 300) << name(kind);
  }
}

TEST(DistanceDerivatives, TurnsAreTheLeastThatTakesAwayItsNegativeCurvature) {
  for (const PairKind kind : kKinds) {
    int single = 0;
    for (int id = 0; id < 2000; ++id) {
      const Quad x = any_quad(4, id);
      const Closest closest = closest_points(kind, x);
      const Mat12 hessian = distance_hessian(closest, x);
      Mat12 turned = Mat12::Zero();
      const std::vector<Quad> turns = distance_turns(closest, x);
      for (const Quad& turn : turns) turned += Vec12(turn.reshaped()) * turn.reshaped().transpose();
      const double size = hessian.cwiseAbs().maxCoeff();
      const Eigen::SelfAdjointEigenSolver<Mat12> sum(hessian + turned);
      EXPECT_GE(sum.eigenvalues()[0], -1e-12 * size) << name(kind) << '\n' << x;
      EXPECT_EQ(static_cast<int>(turns.size()), freedom(closest));
      if (turns.size() != 1) continue;
      const double least = Eigen::SelfAdjointEigenSolver<Mat12>(hessian).eigenvalues()[0];
      EXPECT_NEAR(turned.trace(), -least, 1e-9 * size) << "no more than that: " << name(kind);
      ++single;
    }
    EXPECT_GT(single, 100) << name(kind);
  }
}

TEST(DistanceDerivatives, ValueAndGradientAreContinuousAcrossBorders) {
  for (const PairKind kind : kKinds) {
    int borders = 0;
    for (int id = 0; id < 3000; ++id) {
      // Between two shapes of different regions there is a border: bisect to it.
      Quad x = any_quad(5, id), y = any_quad(6, id);
      const int there = region(closest_points(kind, x));
      if (region(closest_points(kind, y)) == there) continue;
      while ((x - y).cwiseAbs().maxCoeff() > 1e-12) {
        const Quad middle = (x + y) / 2;
        (region(closest_points(kind, middle)) == there ? x : y) = middle;
      }
      const Closest a = closest_points(kind, x), b = closest_points(kind, y);
      if (a.distance < 0.02) continue;
      const double gap = (x - y).norm();
      EXPECT_NEAR(a.distance, b.distance, 2 * gap);
      // The gradient changes no faster than second derivatives allow.
      const double size = std::max(distance_hessian(a, x).norm(), distance_hessian(b, y).norm());
      EXPECT_LE((distance_gradient(a) - distance_gradient(b)).norm(), 2 * size * gap + 1e-13 / a.distance)
          << name(kind) << ", regions " << region(a) << " and " << region(b);
      ++borders;
    }
    EXPECT_GT(borders, 1000) << name(kind);
  }
}

TEST(DistanceDerivatives, HessianOfParallelEdgesIsFinite) {
  Quad x;
  x << 0, 1, 0.5, 2,  //
      0, 0, 1, 1,     //
      0, 0, 0, 0;
  EXPECT_TRUE(distance_hessian(closest_points(PairKind::edge_edge, x), x).allFinite());
}

}  // namespace
}  // namespace muslin

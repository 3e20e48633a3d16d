// What two frames prove of the way between them.
#include "muslin/audit/proof.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "muslin/geometry/sheet.h"

using namespace muslin;

namespace {

/// A square metre of points² vertices in the plane of x and z, at a height.
Mesh flat_sheet(int points, double height = 0) {
  return make_sheet({points, points}, Vec3(0, height, 0), Vec3::UnitX(), Vec3::UnitZ(),
                    Diagonals::alternating);
}

Surface surface_of(const Mesh& mesh) { return make_surface(mesh.vertex_count(), mesh.triangles); }

}  // namespace

// However a sheet folds, only the passage through a point counts.
TEST(AuditProof, PassagesThroughAPointAreCounted) {
  const Mesh mesh = flat_sheet(9, 0);
  const Surface surface = surface_of(mesh);
  const Passages passages(surface);
  const Points flat = mesh.positions;
  const Vec3 middle = flat.rowwise().mean();
  const double width = flat.row(0).maxCoeff() - flat.row(0).minCoeff();
  const auto count = [&](const Points& before, const Points& after, const Vec3& p, const Vec3& q) {
    return passages.count({before, after, Points(3, 0)}, 0, p, q);
  };
  Points waves = flat;  // of any height, its border where it was
  for (int v = 0; v < waves.cols(); ++v) {
    const Vec3 aside = flat.col(v) - middle;
    const double inner = (1 - std::pow(2 * aside.x() / width, 2)) * (1 - std::pow(2 * aside.z() / width, 2));
    waves(1, v) += width * inner * std::cos(9 * aside.x() / width);
  }
  const Vec3 up = 0.1 * width * Vec3::UnitY(), high = 3 * width * Vec3::UnitY();
  EXPECT_EQ(*count(flat, flat, middle + up, middle - up), -*count(flat, flat, middle - up, middle + up));
  EXPECT_EQ(std::abs(*count(flat, flat, middle + up, middle - up)), 1) << "the point passes";
  EXPECT_EQ(std::abs(*count(flat, waves, middle + up, middle + up)), 1) << "the sheet does";
  EXPECT_EQ(count(flat, waves, middle - up, middle - up), 0);
  EXPECT_EQ(count(flat, Points(waves.colwise() + 5 * up), middle + up, middle + 6 * up),
            count(flat, waves, middle + up, middle + up))
      << "together";
  EXPECT_EQ(count(flat, flat, middle + high, middle - high), std::nullopt)
      << "the border is too near for that";
  const Vec3 corner = flat.col(0);
  EXPECT_EQ(count(flat, flat, corner + 3 * up, corner - 3 * up), std::nullopt);
}

TEST(AuditProof, WhatMeetsNothingGoesOnOrFalls) {
  const Vec3 fall(0, -0.01, 0);
  const auto deflection = [&](const Vec3& earlier, const Vec3& before, const Vec3& after) {
    const Points b = before, a = after;
    return Interval{b, a, earlier, fall}.deflection(0);
  };
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.2, -0.01, 0}), 0, 1e-15) << "falls";
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}), 0, 1e-15) << "is carried";
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0}), 0.1, 1e-15) << "is stopped";
  EXPECT_NEAR(deflection({0, 0, 0}, {0.1, 0, 0}, {0.2, 0.02, 0}), 0.02, 1e-15);
}

// Round a thin board it is far, be the way ever so oblique; round a ball hardly farther than through it.
TEST(AuditProof, TheWayRoundIsNoLongerThanTheShortest) {
  Collider board;
  board.shape = Shape::box;
  board.size = Vec3(1, 0.01, 1);
  const auto round = [](const Collider& collider, const Vec3& from, const Vec3& to) {
    const Points p = from, q = to;
    return vertices_through({collider}, {0, 0, p, q}).at(0).way_round;
  };
  const double straight = 2 * std::hypot(0.5, 0.1);  // over the middle of a side
  for (const double x : {0.0, 0.05, 0.1}) {
    const double way = round(board, {-x, 0.1, 0}, {x, -0.1, 0});
    EXPECT_LE(way, straight);
    EXPECT_GT(way, 0.7 * straight);
  }
  Collider ball;
  ball.radius = 1;
  const double half_circle = std::acos(-1.0);
  EXPECT_LE(round(ball, {-1.000001, 0, 0}, {1.000001, 0, 0}), half_circle);
  EXPECT_GT(round(ball, {-1.000001, 0, 0}, {1.000001, 0, 0}), 2.5);
}

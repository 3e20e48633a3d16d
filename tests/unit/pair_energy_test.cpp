#include "muslin/contact/pairs/pair_energy.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "every_pair.h"
#include "unit/contact_sheets.h"

namespace muslin {
namespace {

using namespace contact_test;
using MatX = Eigen::MatrixXd;

constexpr double kRadius = 0.5, kStiffness = 30;
constexpr PairKind kKinds[] = {PairKind::point_triangle, PairKind::edge_edge};

class PairEnergy : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }
};

ContactPair pair_of(PairKind kind) { return {kind, {0, 1, 2, 3}, kRadius, /*weight=*/1, /*friction=*/0}; }

/// By the definition, from the brute-force distance.
reference::Real energy(PairKind kind, const reference::QuadL& x) {
  const reference::Real d = reference::distance(kind, x), r = kRadius, k = kStiffness;
  return d >= r ? 0 : -k * (d - r) * (d - r) * std::log(d / r);
}

std::vector<ContactRow> rows_of(const std::vector<ContactPair>& pairs, const Points& x) {
  std::vector<ContactRow> rows;
  append_contact_rows(pairs, active_pairs(pairs, x), kStiffness, rows);
  return rows;
}

double energy_of(const std::vector<ContactPair>& pairs, const Points& x) {
  return contact_value(pairs, active_pairs(pairs, x), kStiffness);
}

Points gradient_of(PairKind kind, const Quad& x) {
  Points gradient = Points::Zero(3, 4);
  ContactRows(4, rows_of({pair_of(kind)}, x)).add_gradient(gradient);
  return gradient;
}

/// The matrix of multiply_add, column by column.
MatX matrix_of(const ContactRows& rows, int vertices) {
  MatX matrix(3 * vertices, 3 * vertices);
  for (int k = 0; k < 3 * vertices; ++k) {
    Points x = Points::Zero(3, vertices), y = x;
    x.reshaped()[k] = 1;
    rows.multiply_add(x, y);
    matrix.col(k) = y.reshaped();
  }
  return matrix;
}

MatX dense(const BlockMatrix& blocks) {
  MatX matrix(3 * blocks.rows(), 3 * blocks.rows());
  for (int k = 0; k < matrix.cols(); ++k) {
    Points x = Points::Zero(3, blocks.rows()), y = x;
    x.reshaped()[k] = 1;
    blocks.multiply_add(x, y);
    matrix.col(k) = y.reshaped();
  }
  return matrix;
}

/// Random pairs, and pairs on the borders of regions: above an edge, above a vertex, beside a corner.
std::vector<Quad> quads_of(PairKind kind) {
  std::vector<Quad> quads;
  for (int id = 0; id < 400; ++id) {
    Quad x;
    for (int k = 0; k < 12; ++k) x.data()[k] = random_unit(1, id, k);
    quads.push_back(x);
  }
  for (const double d : {0.1, 0.2, 0.3, 0.4})
    for (int id = 0; id < 30; ++id) {
      Quad x;
      for (int k = 0; k < 12; ++k) x.data()[k] = draw(2, id, k);
      const Vec3 n = kind == PairKind::point_triangle
                         ? (x.col(2) - x.col(1)).cross(x.col(3) - x.col(1)).normalized()
                         : (x.col(1) - x.col(0)).cross(x.col(3) - x.col(2)).normalized();
      const double along = id % 3 == 0 ? 0 : 0.4;  // over a vertex, or over a border
      if (kind == PairKind::point_triangle)
        x.col(0) = x.col(1) + along * (x.col(2) - x.col(1)) + d * n;
      else
        x.leftCols<2>().colwise() += Vec3(x.col(2) + along * (x.col(3) - x.col(2)) - x.col(id % 2) + d * n);
      quads.push_back(x);
    }
  return quads;
}

int region(PairKind kind, const Quad& x) {
  const Closest closest = closest_points(kind, x);
  int bits = 0;
  for (int i = 0; i < 4; ++i) bits |= (closest.weight[i] != 0) << i;
  return bits;
}

TEST_F(PairEnergy, ValueIsThatOfTheBruteForceDistance) {
  for (const PairKind kind : kKinds)
    for (const Quad& x : quads_of(kind)) {
      const auto expected = static_cast<double>(energy(kind, x.cast<reference::Real>()));
      EXPECT_NEAR(energy_of({pair_of(kind)}, x), expected, 1e-12 * (1 + expected));
    }
}

TEST_F(PairEnergy, GradientIsTheDerivativeOfTheEnergyInAllRegionsAndOnTheirBorders) {
  for (const PairKind kind : kKinds) {
    int active = 0;
    for (const Quad& x : quads_of(kind)) {
      const Points gradient = gradient_of(kind, x);
      const double size = gradient.norm();
      if (size == 0) continue;
      ++active;
      double least = 1e300;
      for (long double eps = 1e-3L; eps > 1e-9L; eps /= 10) {
        Points difference(3, 4);
        for (int k = 0; k < 12; ++k) {
          reference::QuadL more = x.cast<reference::Real>(), less = more;
          more.data()[k] += eps;
          less.data()[k] -= eps;
          difference.data()[k] = static_cast<double>((energy(kind, more) - energy(kind, less)) / (2 * eps));
        }
        least = std::min(least, (difference - gradient).norm());
      }
      EXPECT_LE(least, 1e-6 * size) << x;
    }
    EXPECT_GT(active, 300);
  }
}

TEST_F(PairEnergy, ExactHessianIsTheDerivativeOfTheGradient) {
  for (const PairKind kind : kKinds) {
    int tested = 0;
    for (const Quad& x : quads_of(kind)) {
      const Mat12 hessian = contact_hessian(pair_of(kind), x, kStiffness);
      const double size = hessian.norm();
      double least = 1e300;
      bool inside = size > 0;
      for (double eps = 1e-4; eps > 1e-8 && inside; eps /= 10) {
        Mat12 difference;
        for (int k = 0; k < 12; ++k) {
          Quad more = x, less = x;
          more.data()[k] += eps;
          less.data()[k] -= eps;
          inside = inside && region(kind, more) == region(kind, x) && region(kind, less) == region(kind, x);
          difference.col(k) = (gradient_of(kind, more) - gradient_of(kind, less)).reshaped() / (2 * eps);
        }
        least = std::min(least, (difference - hessian).norm());
      }
      if (!inside) continue;
      ++tested;
      EXPECT_LE(least, 1e-6 * size) << x;
    }
    EXPECT_GT(tested, 150);
  }
}

TEST_F(PairEnergy, ForcesBalance) {
  for (const PairKind kind : kKinds)
    for (const Quad& x : quads_of(kind)) {
      const Points gradient = gradient_of(kind, x);
      Vec3 moment = Vec3::Zero();
      for (int k = 0; k < 4; ++k) moment += Vec3(x.col(k)).cross(Vec3(gradient.col(k)));
      EXPECT_LE(gradient.rowwise().sum().norm(), 1e-14 * gradient.norm());
      EXPECT_LE(moment.norm(), 1e-13 * gradient.norm());
    }
}

TEST_F(PairEnergy, RowsAreTheHessianWithoutTheCurvatureOfTheDistance) {
  for (const PairKind kind : kKinds)
    for (const Quad& x : quads_of(kind)) {
      const std::vector<ContactRow> rows = rows_of({pair_of(kind)}, x);
      if (rows.empty()) continue;
      const MatX matrix = matrix_of(ContactRows(4, rows), 4);
      const Closest closest = closest_points(kind, x);
      Mat12 expected =
          contact_hessian(pair_of(kind), x, kStiffness) - rows[0].slope * distance_hessian(closest, x);
      if (const double least = 1e-3 * kRadius; closest.distance < least) {  // no stiffer than there
        const Barrier barrier{kRadius, kStiffness};
        const Vec12 gradient = distance_gradient(closest);
        expected = barrier.curvature(least) * gradient * gradient.transpose();
      }
      EXPECT_LE((matrix - expected).norm(),
                1e-12 * (expected.norm() + std::abs(rows[0].slope) * distance_hessian(closest, x).norm()));
    }
}

/// Two sheets that are pressed into each other's radius, the upper one shaken.
struct Sheets {
  Surfaces surfaces;
  Points x;
  std::vector<ContactPair> pairs;
};
Sheets pressed_sheets(int points) {
  Sheets sheets;
  sheets.surfaces.add(flat_sheet(points), 0.15 / points, {});
  sheets.surfaces.add(flat_sheet(points, 0.2 / points), 0.15 / points, {});
  sheets.x = sheets.surfaces.rest + noise(sheets.surfaces.vertex_count(), 0.05 / points, 4);
  Candidates candidates(sheets.surfaces);
  candidates.detect(sheets.x, Points::Zero(3, sheets.x.cols()), 0);
  sheets.pairs = candidates.pairs();
  return sheets;
}

TEST_F(PairEnergy, RowsOfManyPairsAreASemiDefiniteMatrix) {
  const Sheets sheets = pressed_sheets(5);
  std::vector<ContactRow> list = rows_of(sheets.pairs, sheets.x);
  ASSERT_GT(list.size(), 100u);
  list[7].weight = {1, 0, 0, -1};  // nearest to a corner
  const ContactRows rows(50, list);
  for (const int columns :
       {50, 25}) {  // both move; the upper one is held: its vertices are beyond the columns
    const MatX matrix = matrix_of(rows, columns);
    EXPECT_LE((matrix - matrix.transpose()).norm(), 1e-14 * matrix.norm());
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(matrix).eigenvalues()[0], -1e-12 * matrix.norm());
    const BlockMatrix blocks = rows.matrix(columns);
    const Points x = noise(columns, 1, 5);
    Points product = Points::Zero(3, columns), added = x;
    rows.multiply_add(x, product);
    blocks.multiply_add(x, added);
    EXPECT_LE((added - x - product).norm(), 1e-13 * product.norm());
    const BlockPattern& pattern = blocks.pattern();
    for (int v = 0; v < columns; ++v)
      for (int s = pattern.begin[v]; s < pattern.begin[v + 1]; ++s)
        EXPECT_GE(pattern.find(pattern.column[s], v), 0) << "symmetric";
    if (columns == 50) continue;
    const MatX full = matrix_of(rows, 50);
    EXPECT_LE((full.topLeftCorner(75, 75) - matrix).norm(), 1e-14 * matrix.norm());
  }
}

/// The row ahead of a pair whose side A is displaced by `way`, if any.
std::vector<ContactRow> rows_ahead(PairKind kind, const Quad& x, const Vec3& way) {
  Points displacement = Points::Zero(3, 4);
  for (int k = 0; k < first_of_b(kind); ++k) displacement.col(k) = way;
  const std::vector<ContactPair> pairs{pair_of(kind)};
  std::vector<StoppedPair> stopped;
  if (const double step = step_before_contact(pairs[0], x, displacement); step < 1)
    stopped.push_back({0, step});
  std::vector<ContactRow> rows;
  append_rows_ahead(pairs, stopped, x, displacement, kStiffness, rows);
  return rows;
}

TEST_F(PairEnergy, RowsAheadHoldWhatIsMetAtItsRadius) {
  int met = 0, passed = 0;
  for (const PairKind kind : kKinds)
    for (const Quad& x : quads_of(kind)) {
      const Closest closest = closest_points(kind, x);
      const double d = closest.distance;
      if (d <= kRadius) continue;
      EXPECT_TRUE(rows_ahead(kind, x, (d - 1.2 * kRadius) * -closest.normal).empty());
      ++passed;
      const std::vector<ContactRow> rows = rows_ahead(kind, x, 3 * d * -closest.normal);
      ASSERT_EQ(rows.size(), 1u);
      EXPECT_GT(rows[0].direction.dot(closest.normal), 0.99);
      EXPECT_NEAR(-rows[0].slope / rows[0].curvature, kRadius - d, 1e-9 * d) << "its least energy";
      ++met;
    }
  EXPECT_GT(met, 100);
  EXPECT_GT(passed, 100);
}

TEST_F(PairEnergy, RowsAheadOfWhatRepelsAreItsSecant) {
  int met = 0;
  for (const PairKind kind : kKinds)
    for (const Quad& x : quads_of(kind)) {
      const Closest closest = closest_points(kind, x);
      const double d = closest.distance;
      if (d >= kRadius || d < 0.01) continue;
      const std::vector<ContactRow> rows = rows_ahead(kind, x, 3 * d * -closest.normal);
      ASSERT_EQ(rows.size(), 1u);
      EXPECT_EQ(rows[0].slope, 0) << "the force stays";
      const Barrier barrier{kRadius, kStiffness};
      const double there = barrier.slope(d) + (barrier.curvature(d) + rows[0].curvature) * -0.8 * d;
      EXPECT_NEAR(there, barrier.slope(0.2 * d), 1e-9 * std::abs(there)) << "as at a fifth of the distance";
      EXPECT_GT(rows[0].curvature, 0);
      ++met;
    }
  EXPECT_GT(met, 100);
}

TEST_F(PairEnergy, TurnsAheadAreThoseOfTheForceAtAFifthOfTheDistance) {
  int met = 0;
  for (const PairKind kind : kKinds)
    for (const Quad& x : quads_of(kind)) {
      const Closest closest = closest_points(kind, x);
      const double d = closest.distance;
      std::vector<ContactTurn> turns;
      append_turns_ahead({pair_of(kind)}, {{0, 0.5}}, x, kStiffness, turns);
      if (d >= kRadius) {
        EXPECT_TRUE(turns.empty());
        continue;
      }
      Mat12 expected = Mat12::Zero();
      for (const Quad& turn : distance_turns(closest, x))
        expected -= Barrier{kRadius, kStiffness}.slope(0.2 * d) * Vec12(turn.reshaped()) *
                    turn.reshaped().transpose();
      const MatX matrix = dense(ContactRows(4, {}, turns).matrix(4));
      EXPECT_LE((matrix - expected).norm(), 1e-12 * expected.norm());
      met += turns.empty() ? 0 : 1;
    }
  EXPECT_GT(met, 100);
}

TEST_F(PairEnergy, IsTheSameBitByBitOnAnyNumberOfThreads) {
  const Sheets sheets = pressed_sheets(40);
  const int count = sheets.surfaces.vertex_count();
  ASSERT_GT(sheets.pairs.size(), 3u * kGrain);
  Points gradient[2], product[2];
  double value[2], distance[2];
  for (const int run : {0, 1}) {
    set_threads(run == 0 ? 1 : 3);
    const ContactRows rows(count, rows_of(sheets.pairs, sheets.x));
    gradient[run] = product[run] = Points::Zero(3, count);
    rows.add_gradient(gradient[run]);
    rows.multiply_add(sheets.x, product[run]);
    value[run] = energy_of(sheets.pairs, sheets.x);
    distance[run] = least_distance(sheets.pairs, sheets.x);
  }
  EXPECT_EQ(gradient[0], gradient[1]);
  EXPECT_EQ(product[0], product[1]);
  EXPECT_EQ(value[0], value[1]);
  EXPECT_EQ(distance[0], distance[1]);
  EXPECT_GT(gradient[0].norm(), 0);
}

}  // namespace
}  // namespace muslin

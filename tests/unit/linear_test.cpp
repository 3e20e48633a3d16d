#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <cstdlib>
#include <cstring>
#include <random>

#include "muslin/core/parallel.h"
#include "muslin/linear/block_matrix.h"
#include "muslin/linear/cholesky.h"
#include "muslin/linear/filter.h"
#include "muslin/linear/pcg.h"

// The sparse solvers against dense ones, on random systems with vertices held in none to three directions.

namespace muslin {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_()) / static_cast<double>(engine_.max());
  }
  int below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }
  Vec3 vector() {
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, z};
  }
  Points points(int n) {
    Points all(3, n);
    for (int i = 0; i < n; ++i) all.col(i) = vector();
    return all;
  }

 private:
  std::mt19937 engine_;
};

Eigen::VectorXd flat(const Points& x) { return Eigen::Map<const Eigen::VectorXd>(x.data(), x.size()); }

Eigen::MatrixXd dense(const BlockMatrix& A) {
  const int n = A.rows();
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (int s = A.pattern().begin[i]; s < A.pattern().begin[i + 1]; ++s)
      all.block<3, 3>(3 * i, 3 * A.pattern().column[s]) = A.block(s);
  return all;
}

/// A random symmetric matrix on a graph of n vertices: Σ of positive semi-definite pairs, and `shift` on the
/// diagonal.
BlockMatrix random_matrix(Random& random, int n, double shift) {
  std::vector<Stencil<2>> pairs;
  for (int i = 1; i < n; ++i) pairs.push_back({i, random.below(i)});
  for (int k = 0; k < 2 * n; ++k) pairs.push_back({random.below(n), random.below(n)});
  BlockMatrix A(std::make_shared<BlockPattern>(n, pairs));
  for (const auto& [a, b] : pairs) {
    Eigen::Matrix<double, 6, 3> J;
    for (int c = 0; c < 3; ++c) J.col(c) << random.vector(), random.vector();
    const Eigen::Matrix<double, 6, 6> H = J * J.transpose();
    const int of[] = {a, b};
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) A.block(A.pattern().find(of[r], of[c])) += H.block<3, 3>(3 * r, 3 * c);
  }
  for (int i = 0; i < n; ++i) A.add_to_diagonal(i, shift);
  return A;
}

/// Constraints as they are written down: rows p of vertex blocks and values.
struct Constraints {
  Filter filter;
  std::vector<std::pair<int, Vec3>> directions;
  std::vector<double> values;

  void hold(int vertex, const Vec3& direction, double value) {
    filter.hold(vertex, direction, value);
    directions.emplace_back(vertex, direction);
    values.push_back(value);
  }
  double worst(const Points& x) const {
    double most = 0;
    for (size_t k = 0; k < values.size(); ++k)
      most = std::max(most, std::abs(x.col(directions[k].first).dot(directions[k].second) - values[k]));
    return most;
  }
};

/// Every vertex has 0 to 3 held directions, oblique but well apart.
Constraints random_constraints(Random& random, int n) {
  Constraints constraints;
  for (int i = 0; i < n; ++i)
    for (int k = random.below(7) - 3; k > 0; --k)
      constraints.hold(i, (Vec3::Unit(k - 1) + 0.4 * random.vector()).normalized(), random.between(-1, 1));
  return constraints;
}

/// The saddle point min ½xᵀAx − bᵀx subject to the constraints, by a dense LU.
Points dense_solution(const BlockMatrix& A, const Points& b, const Constraints& constraints) {
  const int n = 3 * A.rows(), m = static_cast<int>(constraints.values.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::VectorXd right(n + m);
  K.topLeftCorner(n, n) = dense(A);
  right.head(n) = flat(b);
  for (int k = 0; k < m; ++k) {
    const auto& [vertex, p] = constraints.directions[k];
    K.block<3, 1>(3 * vertex, n + k) = p;
    K.block<1, 3>(n + k, 3 * vertex) = p.transpose();
    right[n + k] = constraints.values[k];
  }
  const Eigen::VectorXd solution = K.fullPivLu().solve(right);
  return Eigen::Map<const Points>(solution.data(), 3, A.rows());
}

double distance(const Points& a, const Points& b) { return (a - b).cwiseAbs().maxCoeff(); }

// --- the matrix ------------------------------------------------------------------------------------

TEST(BlockPattern, RowsAreSortedUniqueAndHaveTheirDiagonal) {
  const BlockPattern pattern(4, {{2, 0}, {0, 2}, {1, 1}, {0, 1}});
  EXPECT_EQ(pattern.begin, (std::vector<int>{0, 3, 5, 7, 8}));
  EXPECT_EQ(pattern.column, (std::vector<int>{0, 1, 2, 0, 1, 0, 2, 3}));
  EXPECT_EQ(pattern.diagonal, (std::vector<int>{0, 4, 6, 7}));
  EXPECT_EQ(pattern.find(2, 0), 5);
  EXPECT_EQ(pattern.find(2, 1), -1);
  EXPECT_EQ(pattern.find(3, 0), -1);
}

TEST(BlockMatrix, ProductIsTheDenseOne) {
  Random random(1);
  for (const int n : {1, 2, 7, 40}) {
    const BlockMatrix A = random_matrix(random, n, 0.5);
    const Points x = random.points(n);
    Points y;
    A.multiply(x, y);
    EXPECT_LT((flat(y) - dense(A) * flat(x)).cwiseAbs().maxCoeff(), 1e-12) << n;
  }
}

TEST(BlockMatrix, ZeroAgainKeepsThePattern) {
  Random random(2);
  BlockMatrix A = random_matrix(random, 5, 1);
  A.set_zero();
  EXPECT_EQ(dense(A), Eigen::MatrixXd::Zero(15, 15));
  A.add_to_diagonal(3, 2);
  EXPECT_EQ(dense(A).trace(), 6);
}

// --- the filter ------------------------------------------------------------------------------------

TEST(Filter, HoldsObliqueDirectionsAtTheirValues) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    Filter filter;
    std::vector<Vec3> directions;
    const Vec3 target = random.vector();
    for (int d = 0; d <= k % 3; ++d) {
      directions.push_back(3 * random.vector());
      filter.hold(0, directions.back(), target.dot(directions.back()));
    }
    const auto& held = filter.held().at(0);
    EXPECT_LT((held.free * held.free - held.free).norm(), 1e-14);
    EXPECT_NEAR(held.free.trace(), 2 - k % 3, 1e-12);
    Points x = random.points(1);
    filter.impose(x);
    for (const Vec3& d : directions) EXPECT_NEAR(x.col(0).dot(d), target.dot(d), 1e-10);
    if (k % 3 == 2) {
      EXPECT_EQ(held.free, Mat3::Zero());
      EXPECT_LT((x.col(0) - target).norm(), 1e-8);
    }
  }
}

TEST(Filter, TheSameDirectionTwiceIsOne) {
  Filter filter;
  filter.hold(4, {1, 1, 0}, 2);
  filter.hold(4, {-1, -1, 1e-12}, -2);
  EXPECT_NEAR(filter.held().at(0).free.trace(), 2, 1e-14);
  EXPECT_TRUE(filter.held()[0].prescribed.isApprox(Vec3(1, 1, 0), 1e-14));
}

TEST(Filter, StaysSortedInAnyOrder) {
  Filter filter;
  for (const int v : {5, 1, 9, 1, 3, 5}) filter.hold(v, Vec3::UnitX(), v);
  ASSERT_EQ(filter.held().size(), 4u);
  const int sorted[] = {1, 3, 5, 9};
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(filter.held()[k].vertex, sorted[k]);
    EXPECT_EQ(filter.held()[k].prescribed[0], sorted[k]);
  }
  for (int v = 0; v < 11; ++v) {
    const Filter::Held* held = filter.find(v);
    EXPECT_EQ(held != nullptr, std::count(sorted, sorted + 4, v) == 1);
    EXPECT_EQ(held ? held->vertex : v, v);
  }
}

// --- conjugate gradients ---------------------------------------------------------------------------

class Pcg : public testing::TestWithParam<Preconditioner> {};
INSTANTIATE_TEST_SUITE_P(With, Pcg, testing::Values(Preconditioner::block_jacobi, Preconditioner::two_level),
                         [](const auto& chosen) {
                           return chosen.param == Preconditioner::two_level ? "two_level" : "block_jacobi";
                         });

TEST_P(Pcg, AgreesWithTheSaddlePoint) {
  Random random(4);
  PcgMemory memory;  // meets other patterns all the time
  for (int k = 0; k < 20; ++k) {
    const int n = 2 + random.below(30);
    const BlockMatrix A = random_matrix(random, n, 0.1);
    const Constraints constraints = random_constraints(random, n);
    const Points b = random.points(n);
    Points x = k % 2 == 0 ? Points() : random.points(n);  // a cold and a warm start
    const PcgReport report = solve_pcg(A, b, constraints.filter, {1e-12, 10000, GetParam()}, x, &memory);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.error, 1e-12);
    EXPECT_LT(distance(x, dense_solution(A, b, constraints)), 1e-9) << "system " << k;
  }
}

TEST_P(Pcg, ConstraintsHoldAtEveryIterationCount) {
  Random random(5);
  const int n = 40;
  const BlockMatrix A = random_matrix(random, n, 1e-3);
  const Points b = 100 * random.points(n), start = random.points(n);
  Filter filter;
  filter.hold_axes(7, {1, 0, 1}, {0.3, 0, -0.7});  // free along y
  filter.hold_axes(20, {1, 1, 1}, {0.1, 0.2, 0.3});
  const Vec3 p = Vec3(1, 2, 3).normalized();
  filter.hold(30, p, 0.5);
  for (int iterations = 0; iterations < 60; ++iterations) {
    Points x = start;
    solve_pcg(A, b, filter, {1e-15, iterations, GetParam()}, x);
    EXPECT_NEAR(x(0, 7), 0.3, 1e-14);
    EXPECT_NEAR(x(2, 7), -0.7, 1e-14);
    EXPECT_EQ(x.col(20), Vec3(0.1, 0.2, 0.3));
    EXPECT_NEAR(x.col(30).dot(p), 0.5, 1e-14);
    EXPECT_EQ(x(1, 7) != start(1, 7), iterations > 0);
  }
}

TEST_P(Pcg, ExactStartNeedsNoIteration) {
  Random random(6);
  const BlockMatrix A = random_matrix(random, 12, 0.1);
  const Constraints constraints = random_constraints(random, 12);
  const Points b = random.points(12);
  Points x = dense_solution(A, b, constraints);
  const PcgReport report = solve_pcg(A, b, constraints.filter, {1e-6, 100, GetParam()}, x);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_TRUE(report.converged);
}

TEST_P(Pcg, NothingToSolveGivesThePrescribedValues) {
  Random random(7);
  const BlockMatrix A = random_matrix(random, 9, 0.1);
  Points x = random.points(9);
  PcgReport report = solve_pcg(A, Points::Zero(3, 9), Filter(), {1e-3, 100, GetParam()}, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(x, Points::Zero(3, 9));

  Filter all;
  const Points target = random.points(9);
  for (int i = 0; i < 9; ++i) all.hold_axes(i, Vec3::Ones(), target.col(i));
  report = solve_pcg(A, random.points(9), all, {1e-3, 100, GetParam()}, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(x, target);
}

TEST_P(Pcg, StopsAtTheLargestNumberOfIterations) {
  Random random(8);
  const BlockMatrix A = random_matrix(random, 30, 1e-3);
  const Points b = random.points(30);
  double last = 1;
  for (const int most : {0, 1, 20}) {
    Points x;
    const PcgReport report = solve_pcg(A, b, Filter(), {1e-14, most, GetParam()}, x);
    EXPECT_EQ(report.iterations, most);
    EXPECT_FALSE(report.converged);
    if (most == 0) {
      EXPECT_EQ(report.error, 1);
      EXPECT_EQ(x, Points::Zero(3, 30));
    } else {
      EXPECT_LT(report.error, last);
    }
    last = report.error;
  }
}

TEST(PcgBlockJacobi, ErrorIsThePreconditionedResidual) {
  Random random(9);
  const int n = 15;
  const BlockMatrix A = random_matrix(random, n, 0.01);
  const Points b = random.points(n);
  Points x;
  const PcgReport report = solve_pcg(A, b, Filter(), {1e-14, 10}, x);
  const auto norm = [&](const Eigen::VectorXd& r) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += r.segment<3>(3 * i).dot(Mat3(A.diagonal(i)).llt().solve(r.segment<3>(3 * i)));
    return std::sqrt(sum);
  };
  EXPECT_NEAR(report.error, norm(flat(b) - dense(A) * flat(x)) / norm(flat(b)), 1e-10);
}

/// A chain of n vertices in two rows, long enough for several chunks.
BlockMatrix ladder(int n, unsigned seed = 11) {
  std::vector<Stencil<2>> pairs;
  for (int i = 0; i < n; ++i)
    for (const int step : {1, 2})
      if (i + step < n) pairs.push_back({i, i + step});
  BlockMatrix A(std::make_shared<BlockPattern>(n, pairs));
  Random random(seed);
  for (const auto& [a, b] : pairs) {
    const Vec3 d = random.vector();
    const Mat3 block = d * d.transpose() + 0.3 * Mat3::Identity();
    A.diagonal(a) += block;
    A.diagonal(b) += block;
    A.block(A.pattern().find(a, b)) -= block;
    A.block(A.pattern().find(b, a)) -= block;
  }
  for (int i = 0; i < n; ++i) A.add_to_diagonal(i, 0.01);
  return A;
}

TEST_P(Pcg, SeesNegativeCurvature) {
  Random random(10);
  int at_once = 0;
  for (int k = 0; k < 10; ++k) {
    BlockMatrix A = ladder(20, k);
    const double lowest =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense(A), Eigen::EigenvaluesOnly).eigenvalues()[0];
    const Points b = random.points(20);
    for (int i = 0; i < 20; ++i) A.add_to_diagonal(i, -2 * lowest);
    Points x;
    const PcgReport report = solve_pcg(A, b, Filter(), {1e-12, 1000, GetParam()}, x);
    EXPECT_TRUE(report.negative_curvature);
    EXPECT_FALSE(report.converged);
    Points again;  // the iterate before
    const PcgReport before = solve_pcg(A, b, Filter(), {1e-12, report.iterations, GetParam()}, again);
    EXPECT_EQ(x, again);
    EXPECT_EQ(before.negative_curvature, report.iterations == 0);
    at_once += report.iterations == 0;  // in a block of the diagonal, or on the patches
    EXPECT_FALSE(BlockCholesky().factorize(A, Filter()));
  }
  if (GetParam() == Preconditioner::block_jacobi) {
    EXPECT_LT(at_once, 5);
  }
}

TEST_P(Pcg, HeldDirectionsHideNegativeCurvature) {
  BlockMatrix A(std::make_shared<BlockPattern>(2, std::vector<Stencil<2>>{{0, 1}}));
  A.diagonal(0) = Vec3(1, 2, -3).asDiagonal();
  A.diagonal(1) = Vec3(1, 2, 3).asDiagonal();
  const Points b = Points::Ones(3, 2);
  Points x;
  EXPECT_TRUE(solve_pcg(A, b, Filter(), {1e-3, 100, GetParam()}, x).negative_curvature);
  EXPECT_EQ(x, Points::Zero(3, 2));
  BlockCholesky cholesky;
  EXPECT_FALSE(cholesky.factorize(A, Filter()));
  Filter filter;
  filter.hold(0, Vec3::UnitZ(), 0.25);
  EXPECT_TRUE(solve_pcg(A, b, filter, {1e-14, 100, GetParam()}, x).converged);
  EXPECT_TRUE(x.col(0).isApprox(Vec3(1, 0.5, 0.25), 1e-12));
  ASSERT_TRUE(cholesky.factorize(A, filter));
  cholesky.solve(b, x);
  EXPECT_TRUE(x.col(0).isApprox(Vec3(1, 0.5, 0.25), 1e-12));
}

TEST(PcgTwoLevel, IsTheSumOfBothLevels) {
  // Preconditioned residuals of x = 0 after no iteration: bᵀ(D⁻¹ + P(PᵀAP)⁻¹Pᵀ)b, here with one patch of all.
  const int n = 5;
  const BlockMatrix A = ladder(n);
  const Points b = Random(20).points(n);
  CoarseSpace coarse;
  ASSERT_TRUE(coarse.prepare(A, Filter()));
  ASSERT_EQ(coarse.patches(), 1);
  Eigen::MatrixXd P(3 * n, 3);
  for (int i = 0; i < n; ++i) P.middleRows<3>(3 * i) = Mat3::Identity();
  const Vec3 moved = (P.transpose() * dense(A) * P).llt().solve(P.transpose() * flat(b));
  const Eigen::VectorXd everywhere = P * moved;
  EXPECT_NEAR(coarse.solve(b), flat(b).dot(everywhere), 1e-9);
  for (int i = 0; i < n; ++i) EXPECT_LT((coarse.shift(i) - moved).norm(), 1e-9);
}

TEST(PcgTwoLevel, PatchesOfVerticesThatAreHeldOrAlone) {
  const int n = 400;
  BlockMatrix A = ladder(n);
  Filter filter;
  for (int i = 100; i < 200; ++i) filter.hold_axes(i, {1, 1, 1}, {0.1, 0, 0});
  for (int i = 200; i < 300; ++i) filter.hold(i, {1, 1, 0}, 0);
  const Points b = Random(21).points(n);
  Points one, two;
  EXPECT_TRUE(solve_pcg(A, b, filter, {1e-12, 10000, Preconditioner::block_jacobi}, one).converged);
  EXPECT_TRUE(solve_pcg(A, b, filter, {1e-12, 10000, Preconditioner::two_level}, two).converged);
  EXPECT_LT(distance(one, two), 1e-8);

  BlockMatrix alone(std::make_shared<BlockPattern>(7, std::vector<Stencil<2>>()));
  for (int i = 0; i < 7; ++i) alone.add_to_diagonal(i, i + 1);
  EXPECT_TRUE(
      solve_pcg(alone, Points::Ones(3, 7), Filter(), {1e-12, 3, Preconditioner::two_level}, one).converged);
  for (int i = 0; i < 7; ++i) EXPECT_NEAR(one(1, i), 1.0 / (i + 1), 1e-12);
}

TEST(PcgTwoLevel, LongWavesTakeFewerIterations) {
  const BlockMatrix A = ladder(3000);
  const Points b = Points::Ones(3, 3000) + 0.1 * Random(22).points(3000);
  Points x;
  const int one = solve_pcg(A, b, Filter(), {1e-6, 10000, Preconditioner::block_jacobi}, x).iterations;
  const int two =
      solve_pcg(A, b, Filter(), {1e-6, 10000, Preconditioner::two_level}, x = Points(3, 0)).iterations;
  EXPECT_LT(2 * two, one);
}

TEST_P(Pcg, SameBitsForAnyNumberOfThreads) {
  const BlockMatrix A = ladder(5000);
  const Points b = Random(12).points(5000);
  Filter filter;
  for (int i = 0; i < 5000; i += 7) filter.hold(i, Vec3(1, i % 3, 1), 0.01 * i);
  Points first, product;
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    Points x, y;
    A.multiply(b, y);
    solve_pcg(A, b, filter, {1e-8, 200, GetParam()}, x);
    BlockCholesky cholesky;
    ASSERT_TRUE(cholesky.factorize(A, filter));
    Points z;
    cholesky.solve(b, z);
    y += z;
    if (count == 1) first = x, product = y;
    EXPECT_EQ(std::memcmp(x.data(), first.data(), sizeof(double) * x.size()), 0) << count;
    EXPECT_EQ(std::memcmp(y.data(), product.data(), sizeof(double) * y.size()), 0) << count;
  }
  set_threads(0);
}

// --- Cholesky --------------------------------------------------------------------------------------

TEST(BlockCholesky, AgreesWithTheSaddlePoint) {
  Random random(13);
  for (int k = 0; k < 20; ++k) {
    const int n = 1 + random.below(40);
    const BlockMatrix A = random_matrix(random, n, 0.1);
    const Constraints constraints = k % 4 == 0 ? Constraints() : random_constraints(random, n);
    const Points b = random.points(n);
    BlockCholesky cholesky;
    ASSERT_TRUE(cholesky.factorize(A, constraints.filter));
    Points x;
    cholesky.solve(b, x);
    EXPECT_LT(distance(x, dense_solution(A, b, constraints)), 1e-9) << "system " << k;
    EXPECT_LT(constraints.worst(x), 1e-9);
  }
}

TEST(BlockCholesky, TakesNewNumbersOnAnOldPatternAndNewPatterns) {
  Random random(14);
  BlockCholesky cholesky;
  BlockMatrix A = random_matrix(random, 25, 0.2);
  const auto check = [&](const BlockMatrix& matrix) {
    const Constraints constraints = random_constraints(random, matrix.rows());
    const Points b = random.points(matrix.rows());
    ASSERT_TRUE(cholesky.factorize(matrix, constraints.filter));
    Points x;
    for (int again = 0; again < 2; ++again) {
      cholesky.solve(b, x);
      EXPECT_LT(distance(x, dense_solution(matrix, b, constraints)), 1e-9);
    }
  };
  check(A);
  for (int i = 0; i < 25; ++i) A.add_to_diagonal(i, i);
  check(A);
  BlockMatrix indefinite = A;
  indefinite.diagonal(3) -= 1000 * Mat3::Identity();
  EXPECT_FALSE(cholesky.factorize(indefinite, Filter()));
  check(A);
  check(random_matrix(random, 25, 0.2));  // as many rows, another pattern
  check(random_matrix(random, 12, 0.2));
}

/// A grid of points that see two neighbours along each axis, in strips of `strip` rows that do not see each
/// other.
BlockMatrix grid(int points, int strip) {
  std::vector<Stencil<2>> pairs;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j)
      for (const auto& [di, dj] : std::vector<Stencil<2>>{{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 1}, {1, -1}})
        if (i + di < points && j + dj >= 0 && j + dj < points && i / strip == (i + di) / strip)
          pairs.push_back({points * i + j, points * (i + di) + j + dj});
  BlockMatrix A(std::make_shared<BlockPattern>(points * points, pairs));
  Random random(18);
  for (const auto& [a, b] : pairs) {
    const Vec3 d = random.vector();
    const Mat3 block = d * d.transpose();
    A.diagonal(a) += block;
    A.diagonal(b) += block;
    A.block(A.pattern().find(a, b)) -= block;
    A.block(A.pattern().find(b, a)) -= block;
  }
  for (int i = 0; i < points * points; ++i) A.add_to_diagonal(i, 1e-3);
  return A;
}

TEST(BlockCholesky, AgreesWithEigenOnLargeGrids) {
  for (const int strip : {1, 7, 100}) {
    const int points = 50, n = points * points;
    BlockMatrix A = grid(points, strip);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i)
      for (int s = A.pattern().begin[i]; s < A.pattern().begin[i + 1]; ++s)
        for (int k = 0; k < 9; ++k)
          entries.emplace_back(3 * i + k % 3, 3 * A.pattern().column[s] + k / 3, A.block(s)(k % 3, k / 3));
    Eigen::SparseMatrix<double> sparse(3 * n, 3 * n);
    sparse.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> eigen(sparse);
    const Points b = Random(19).points(n);
    const Eigen::VectorXd expected = eigen.solve(flat(b));
    BlockCholesky cholesky;
    ASSERT_TRUE(cholesky.factorize(A, Filter()));
    Points x;
    cholesky.solve(b, x);
    EXPECT_LT((flat(x) - expected).norm(), 1e-9 * expected.norm()) << strip;

    for (const int v : {0, n / 2, n - 1}) {
      BlockMatrix indefinite = A;
      indefinite.add_to_diagonal(v, -20);
      EXPECT_FALSE(cholesky.factorize(indefinite, Filter())) << v;
    }
    ASSERT_TRUE(cholesky.factorize(A, Filter()));
    Points again;
    cholesky.solve(b, again);
    EXPECT_EQ(again, x);
  }
}

TEST(BlockCholesky, LeavesTheCallersRandomNumbersAlone) {
  Random random(15);
  const BlockMatrix A = random_matrix(random, 200, 0.2);
  std::srand(1);
  const int first = std::rand(), second = std::rand();
  std::srand(1);
  EXPECT_EQ(std::rand(), first);
  BlockCholesky().factorize(A, Filter());
  EXPECT_EQ(std::rand(), second);
}

TEST(AxisCholesky, SolvesEveryAxisWithItsHeldVertices) {
  Random random(16);
  for (int k = 0; k < 10; ++k) {
    const int n = 3 + random.below(40);
    Eigen::MatrixXd full = Eigen::MatrixXd::Identity(n, n) * 0.3;
    for (int e = 0; e < 3 * n; ++e) {
      const int a = random.below(n), b = random.below(n);
      Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
      row[a] += random.between(0.5, 1);
      row[b] -= random.between(0.5, 1);
      full += row * row.transpose();
    }
    Points free = Points::Ones(3, n);
    if (k > 0) free.col(1).setZero();
    if (k > 3) free(0, 2) = 0;
    if (k > 6) free(2, 0) = 0;
    AxisCholesky cholesky;
    ASSERT_TRUE(cholesky.factorize(full.sparseView(), free));
    const Points b = random.points(n);
    Points x;
    cholesky.solve(b, x);
    for (int axis = 0; axis < 3; ++axis) {
      Eigen::MatrixXd filtered = full;
      Eigen::VectorXd right = b.row(axis).transpose();
      for (int v = 0; v < n; ++v)
        if (free(axis, v) == 0) {
          filtered.row(v).setZero();
          filtered.col(v).setZero();
          filtered(v, v) = 1;
          right[v] = 0;
        }
      const Eigen::VectorXd expected = filtered.llt().solve(right);
      EXPECT_LT((x.row(axis).transpose() - expected).cwiseAbs().maxCoeff(), 1e-10) << k << ", axis " << axis;
    }
  }
}

TEST(AxisCholesky, RefusesAnIndefiniteMatrix) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Identity(4, 4);
  full(0, 1) = full(1, 0) = 2;
  Points free = Points::Ones(3, 4);
  AxisCholesky cholesky;
  EXPECT_FALSE(cholesky.factorize(full.sparseView(), free));
  free.col(1).setZero();
  EXPECT_TRUE(cholesky.factorize(full.sparseView(), free));
}

}  // namespace
}  // namespace muslin

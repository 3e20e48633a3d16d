#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "muslin/core/parallel.h"
#include "muslin/core/random.h"
#include "muslin/linear/block_rows.h"
#include "muslin/linear/multigrid.h"
#include "muslin/linear/pcg.h"

// Multigrid on Laplacians of grids, whose cycles and solutions dense matrices tell.

namespace muslin {
namespace {

/// A sheet of side × side vertices, bound along its cells' sides: the graph's Laplacian and `shift` on the
/// diagonal.
struct Sheet {
  int side;
  double along = 1, across = 1, shift = 0.01;

  int n() const { return side * side; }
  std::vector<std::pair<Stencil<2>, double>> bonds() const {
    std::vector<std::pair<Stencil<2>, double>> all;
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        if (i + 1 < side) all.push_back({{j * side + i, j * side + i + 1}, along});
        if (j + 1 < side) all.push_back({{j * side + i, (j + 1) * side + i}, across});
      }
    return all;
  }
  Eigen::SparseMatrix<double> laplacian() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int v = 0; v < n(); ++v) entries.emplace_back(v, v, shift);
    for (const auto& [ends, k] : bonds())
      for (const int a : ends)
        for (const int b : ends) entries.emplace_back(a, b, a == b ? k : -k);
    Eigen::SparseMatrix<double> matrix(n(), n());
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }
  /// Bonds that resist in all directions, and along `stiff` ten times as much.
  BlockMatrix matrix(const Vec3& stiff) const {
    std::vector<Stencil<2>> pairs;
    for (const auto& bond : bonds()) pairs.push_back(bond.first);
    BlockMatrix A(std::make_shared<BlockPattern>(n(), pairs));
    for (int v = 0; v < n(); ++v) A.add_to_diagonal(v, shift);
    const Mat3 block = Mat3::Identity() + 9 * stiff * stiff.transpose();
    for (const auto& [ends, k] : bonds())
      for (const int a : ends)
        for (const int b : ends) A.block(A.pattern().find(a, b)) += (a == b ? k : -k) * block;
    return A;
  }
};

enum class Fold { along, across };

/// What a sheet folded on itself has besides: each vertex resists its mirrored one coming nearer along z.
/// That one is in the same row if it is folded along the columns, else as far as can be.
BlockMatrix folded(const Sheet& sheet, double k, Fold fold = Fold::along) {
  const Mat3 block = k * Vec3::UnitZ() * Vec3::UnitZ().transpose();
  return assemble_rows(sheet.n(), [&](int v, const auto& add) {
    const int in_row = v % sheet.side;
    const int mirrored = fold == Fold::along ? v - in_row + sheet.side - 1 - in_row : sheet.n() - 1 - v;
    if (mirrored == v) return;
    add(v, block);
    add(mirrored, -block);
  });
}

Points random_points(int n, std::uint64_t seed) {
  Points points(3, n);
  for (int v = 0; v < n; ++v)
    for (int axis = 0; axis < 3; ++axis) points(axis, v) = 2 * random_unit(seed, v, axis) - 1;
  return points;
}

Eigen::MatrixXd dense(const BlockMatrix& A) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * A.rows(), 3 * A.rows());
  for (int i = 0; i < A.rows(); ++i)
    for (int s = A.pattern().begin[i]; s < A.pattern().begin[i + 1]; ++s)
      all.block<3, 3>(3 * i, 3 * A.pattern().column[s]) = A.block(s);
  return all;
}

/// Vertex 0 held in all directions, vertex 5 along y.
Filter two_pins() {
  Filter filter;
  filter.hold_axes(0, Vec3::Ones(), Vec3::Zero());
  filter.hold_axes(5, Vec3::UnitY(), Vec3::Zero());
  return filter;
}

std::vector<char> first_held(int n) {
  std::vector<char> held(n, 0);
  held[0] = 1;
  return held;
}

/// The cycle as a matrix: what it makes of every unit vector.
Eigen::MatrixXd as_matrix(Multigrid& multigrid, int n) {
  Eigen::MatrixXd matrix(3 * n, 3 * n);
  for (int k = 0; k < 3 * n; ++k) {
    Points unit = Points::Zero(3, n), x;
    unit(k % 3, k / 3) = 1;
    two_pins().apply(unit);
    multigrid.solve(unit, x);
    matrix.col(k) = x.reshaped();
  }
  return matrix;
}

int iterations(const Sheet& sheet, double stiffness = 0, Fold fold = Fold::along) {
  const BlockMatrix A = sheet.matrix(Vec3(1, 2, 2) / 3), added = folded(sheet, stiffness, fold);
  PcgMemory memory;
  memory.multigrid = Multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern());
  PcgOptions options;
  options.preconditioner = Preconditioner::multigrid;
  options.tolerance = 1e-6;
  Points x;
  const PcgReport report = solve_pcg(A, random_points(sheet.n(), 1), two_pins(), options, x, &memory,
                                     stiffness > 0 ? &added : nullptr);
  EXPECT_TRUE(report.converged);
  return report.iterations;
}

TEST(Multigrid, CycleIsSymmetricAndPositiveAndNearTheInverse) {
  const Sheet sheet{12};
  const int n = sheet.n();
  const BlockMatrix A = sheet.matrix(Vec3::UnitX()), added = folded(sheet, 3);
  Multigrid multigrid(sheet.laplacian(), first_held(n), A.shared_pattern());
  EXPECT_GE(multigrid.levels(), 2);
  for (const BlockMatrix* fold : {static_cast<const BlockMatrix*>(nullptr), &added}) {
    ASSERT_TRUE(multigrid.update(A, two_pins(), fold));
    const Eigen::MatrixXd cycle = as_matrix(multigrid, n);
    EXPECT_LT((cycle - cycle.transpose()).cwiseAbs().maxCoeff(), 1e-5 * cycle.cwiseAbs().maxCoeff());

    // S A S on what is free, dense, and the cycle there
    std::vector<int> free;
    for (int k = 0; k < 3 * n; ++k)
      if (k > 2 && k != 3 * 5 + 1) free.push_back(k);
    Eigen::MatrixXd whole = dense(A);
    if (fold) whole += dense(*fold);
    const Eigen::MatrixXd product = Eigen::MatrixXd(cycle(free, free)) * Eigen::MatrixXd(whole(free, free));
    const Eigen::VectorXd eigenvalues = product.eigenvalues().real();
    EXPECT_GT(eigenvalues.minCoeff(), 0.3);
    EXPECT_LT(eigenvalues.maxCoeff(), 1.5);
  }
}

TEST(Multigrid, AddsAnotherPartAsIfItHadBeenTheFirst) {
  const Sheet sheet{40};
  const BlockMatrix A = sheet.matrix(Vec3::UnitX()), one = folded(sheet, 3),
                    other = folded(sheet, 5, Fold::across);
  const auto fresh = [&] { return Multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern()); };
  const Points b = random_points(sheet.n(), 5);
  const auto cycle = [&](Multigrid& multigrid) {
    Points free = b, x;
    two_pins().apply(free);
    multigrid.solve(free, x);
    return x;
  };
  Multigrid kept = fresh();
  ASSERT_TRUE(kept.update(A, two_pins(), &one));
  for (const BlockMatrix* added : {&other, static_cast<const BlockMatrix*>(nullptr), &one}) {
    Multigrid made = fresh();
    ASSERT_TRUE(made.update(A, two_pins(), added));
    ASSERT_TRUE(kept.update_added(added));
    EXPECT_EQ(cycle(kept), cycle(made));
  }
}

TEST(Multigrid, SolvesAgainWithAnotherPartToTheSameBits) {
  const Sheet sheet{24};
  const BlockMatrix A = sheet.matrix(Vec3::UnitX()), one = folded(sheet, 3),
                    other = folded(sheet, 5, Fold::across);
  const Points b = random_points(sheet.n(), 6);
  for (const auto which :
       {Preconditioner::block_jacobi, Preconditioner::two_level, Preconditioner::multigrid}) {
    PcgMemory kept, fresh;
    for (PcgMemory* memory : {&kept, &fresh})
      memory->multigrid = Multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern());
    Points first, again, expected;
    solve_pcg(A, b, two_pins(), {1e-6, 500, which}, first, &kept, &one);
    solve_pcg(A, b, two_pins(), {1e-6, 500, which, /*same_cycle=*/true}, again, &kept, &other);
    solve_pcg(A, b, two_pins(), {1e-6, 500, which}, expected, &fresh, &other);
    EXPECT_EQ(again, expected);
    EXPECT_NE(again, first);
  }
}

TEST(Multigrid, NothingHeldMoves) {
  const Sheet sheet{20};
  const BlockMatrix A = sheet.matrix(Vec3::UnitZ());
  Multigrid multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern());
  ASSERT_TRUE(multigrid.update(A, two_pins()));
  Points b = random_points(sheet.n(), 2), x;
  two_pins().apply(b);
  multigrid.solve(b, x);
  EXPECT_EQ(Vec3(x.col(0)), Vec3::Zero());
  EXPECT_EQ(x(1, 5), 0);
  EXPECT_NE(x(0, 5), 0);
}

TEST(Multigrid, SolvesWhatADenseMatrixSolves) {
  const Sheet sheet{11};
  const BlockMatrix A = sheet.matrix(Vec3::UnitY());
  PcgMemory memory;
  memory.multigrid = Multigrid(sheet.laplacian(), std::vector<char>(sheet.n(), 0), A.shared_pattern());
  const Points b = random_points(sheet.n(), 3);
  const Eigen::VectorXd expected = dense(A).llt().solve(Eigen::VectorXd(b.reshaped()));
  Points x;
  const PcgReport report = solve_pcg(A, b, {}, {1e-12, 200, Preconditioner::multigrid}, x, &memory);
  EXPECT_TRUE(report.converged);
  EXPECT_LT((x.reshaped() - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
}

TEST(Multigrid, IterationsDependOnNeitherSizeNorStiffness) {
  const int few = iterations({24});
  EXPECT_LE(few, 14);
  EXPECT_LE(iterations({48}), few + 3);
  EXPECT_LE(iterations({128}), few + 5);
  EXPECT_LE(iterations({48, 1, 1, 1e-6}), few + 5) << "nearly without inertia";
  EXPECT_LE(iterations({48, 100, 1, 0.01}), 2 * few) << "a hundred times stiffer one way";
}

// Half to a tenth of what a bound of it on the diagonal costs: that takes 34 to 71, 96 to 213 and 31 to 69
// iterations where few are 8 or 9.
TEST(Multigrid, WhatIsAddedCostsLittleUntilItIsMuchStiffer) {
  for (const int side : {24, 48, 96}) {
    const int few = iterations({side});
    EXPECT_LE(iterations({side}, 1), 2 * few) << side;
    EXPECT_LE(iterations({side}, 10), 5 * few) << side;
    EXPECT_LE(iterations({side}, 1, Fold::across), 2 * few) << side << ", from chunk to chunk";
    EXPECT_LE(iterations({side}, 10, Fold::across), 5 * few) << side << ", from chunk to chunk";
  }
}

// A hinge's stiffness, k (a + b − c − d)², is as large outside of the diagonal as on it. Where stiff hinges
// lie across the border of two chunks, rows 15 and 16 here, the cycle must not move them against what pushes;
// nor where contact adds what the matrix lacks of being positive there.
TEST(Multigrid, IsPositiveWhereStiffHingesBindChunks) {
  const Sheet sheet{64};
  const int first = 15 * sheet.side, last = 17 * sheet.side;
  const Eigen::Vector4d weights(1, 1, -1, -1);
  std::vector<Stencil<4>> hinges;
  for (int v = first; v + 1 < first + sheet.side; ++v)
    hinges.push_back({v, v + 1, v + sheet.side, v + sheet.side + 1});
  std::vector<Stencil<2>> pairs;
  for (const auto& bond : sheet.bonds()) pairs.push_back(bond.first);
  for (const auto& [a, b, c, d] : hinges) {
    pairs.push_back({a, d});
    pairs.push_back({b, c});
  }
  BlockMatrix A(std::make_shared<BlockPattern>(sheet.n(), pairs));
  for (int v = 0; v < sheet.n(); ++v) A.add_to_diagonal(v, sheet.shift);
  for (const auto& [ends, k] : sheet.bonds())
    for (const int a : ends)
      for (const int b : ends) A.block(A.pattern().find(a, b)) += (a == b ? k : -k) * Mat3::Identity();
  for (const Stencil<4>& hinge : hinges)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        A.block(A.pattern().find(hinge[a], hinge[b])) += 100 * weights[a] * weights[b] * Mat3::Identity();

  for (const double shift : {0.0, 1000.0}) {
    BlockMatrix added(std::make_shared<BlockPattern>(sheet.n(), std::vector<Stencil<2>>()));
    for (int v = first; v < last; ++v) {
      A.add_to_diagonal(v, -shift);
      added.add_to_diagonal(v, shift);
    }
    Multigrid multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern());
    ASSERT_TRUE(multigrid.update(A, two_pins(), &added));
    Eigen::MatrixXd cycle(last - first, last - first);  // along z, of the two rows
    for (int v = first; v < last; ++v) {
      Points push = Points::Zero(3, sheet.n()), moved;
      push(2, v) = 1;
      multigrid.solve(push, moved);
      cycle.col(v - first) = moved.row(2).segment(first, last - first).transpose();
    }
    EXPECT_GT(cycle.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0) << shift;
  }
}

TEST(Multigrid, RefusesABlockThatIsNotPositive) {
  const Sheet sheet{64};
  for (const int v : {5 * sheet.side, 15 * sheet.side + 20}) {  // within a chunk, at the border of two
    BlockMatrix A = sheet.matrix(Vec3::UnitZ());
    A.add_to_diagonal(v, -100);
    Multigrid multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern());
    EXPECT_FALSE(multigrid.update(A, two_pins())) << v;
  }
}

TEST(Multigrid, LoosePiecesAreSolvedWhateverTheirNumber) {
  const int n = 20000;  // dense, a matrix of 29 GB
  Eigen::SparseMatrix<double> loose(n, n);
  loose.setIdentity();
  BlockMatrix A(std::make_shared<BlockPattern>(n, std::vector<Stencil<2>>()));
  for (int i = 0; i < n; ++i) A.add_to_diagonal(i, 1 + i % 7);
  Multigrid multigrid(loose, std::vector<char>(n, 0), A.shared_pattern());
  ASSERT_TRUE(multigrid.update(A, {}));
  const Points b = random_points(n, 8);
  Points x;
  multigrid.solve(b, x);
  for (int i = 0; i < n; ++i)
    EXPECT_LT((x.col(i) * (1 + i % 7) - b.col(i)).norm(), 1e-6 * b.col(i).norm() + 1e-7);
}

TEST(Multigrid, SameBitsForAnyNumberOfThreads) {
  const Sheet sheet{96};
  const BlockMatrix A = sheet.matrix(Vec3::UnitX());
  Points b = random_points(sheet.n(), 4), expected;
  two_pins().apply(b);
  const BlockMatrix added = folded(sheet, 10);
  for (const BlockMatrix* fold : {static_cast<const BlockMatrix*>(nullptr), &added})
    for (const int count : {1, 2, 3, 7}) {
      set_threads(count);
      Multigrid multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern());
      ASSERT_TRUE(multigrid.update(A, two_pins(), fold));
      Points x;
      multigrid.solve(b, x);
      if (count == 1) expected = x;
      EXPECT_TRUE(x == expected) << count << " threads";
    }
  set_threads(0);
}

TEST(Multigrid, SeesAnIndefiniteMatrix) {
  const Sheet sheet{12};
  BlockMatrix A = sheet.matrix(Vec3::UnitX());
  Multigrid multigrid(sheet.laplacian(), first_held(sheet.n()), A.shared_pattern());
  A.add_to_diagonal(77, -100);
  EXPECT_FALSE(multigrid.update(A, two_pins()));
}

TEST(Aggregation, ConstantsOfFreeClothStay) {
  const Sheet sheet{30, 1, 1, 0};
  Eigen::SparseMatrix<double> laplacian = sheet.laplacian();
  const Prolongator P = smoothed_aggregation(laplacian, std::vector<char>(sheet.n(), 0));
  EXPECT_LT(P.coarse, sheet.n() / 4);
  for (int v = 0; v < sheet.n(); ++v) {
    double sum = 0;
    for (int k = P.begin[v]; k < P.begin[v + 1]; ++k) sum += P.weight[k];
    EXPECT_NEAR(sum, 1, 1e-12) << "what moves as a whole must be in reach of the coarse level";
  }
}

TEST(Aggregation, HeldRowsAreEmptyAndNoAggregateIsHeld) {
  const Sheet sheet{16};
  std::vector<char> held(sheet.n(), 0);
  for (int v = 0; v < 64; ++v) held[v] = 1;
  const Prolongator P = smoothed_aggregation(sheet.laplacian(), held), up = transposed(P);
  for (int v = 0; v < 64; ++v) EXPECT_EQ(P.begin[v], P.begin[v + 1]);
  for (int a = 0; a < P.coarse; ++a) EXPECT_LT(up.begin[a], up.begin[a + 1]);
}

}  // namespace
}  // namespace muslin

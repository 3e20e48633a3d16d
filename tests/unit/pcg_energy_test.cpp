#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "muslin/linear/pcg.h"

// What conjugate gradients tell of the energy ½ xᵀA x − bᵀx that they lower, beside the same of dense
// matrices.

namespace muslin {
namespace {

constexpr int kVertices = 200;

/// A chain of springs of 1 N/m whose vertices are bound to where they are, weakly.
BlockMatrix chain() {
  std::vector<Stencil<2>> links;
  for (int i = 1; i < kVertices; ++i) links.push_back({i - 1, i});
  BlockMatrix A(std::make_shared<BlockPattern>(kVertices, links));
  for (const auto& [a, b] : links) {
    A.add_to_diagonal(a, 1);
    A.add_to_diagonal(b, 1);
    A.block(A.pattern().find(a, b)) = A.block(A.pattern().find(b, a)) = -Mat3::Identity();
  }
  for (int i = 0; i < kVertices; ++i) A.add_to_diagonal(i, 1e-3);
  return A;
}

/// Pulls to and fro, which the springs answer soon, and a small one that moves all of the chain.
Points pulls() {
  Points b = Points::Constant(3, kVertices, 0.15);
  for (int i = 0; i < kVertices; ++i) b.col(i).array() += i % 2 == 0 ? 1 : -1;
  return b;
}

/// How far x has lowered the energy.
double lowered(const Points& x) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(kVertices, kVertices);
  for (int i = 0; i < kVertices; ++i) {
    A(i, i) = 1e-3 + (i > 0) + (i + 1 < kVertices);
    if (i > 0) A(i, i - 1) = A(i - 1, i) = -1;
  }
  return pulls().cwiseProduct(x).sum() - 0.5 * (x * A).cwiseProduct(x).sum();
}

TEST(PcgEnergy, TellsWhatTheLastQuarterGained) {
  const auto run = [](int iterations, Points& x) {
    return solve_pcg(chain(), pulls(), Filter(), {1e-14, iterations}, x).gained_late;
  };
  for (const auto& [iterations, before] : {std::pair(1, 0), {4, 3}, {5, 3}, {8, 6}, {13, 9}}) {
    Points all, first;
    const double late = run(iterations, all);
    run(before, first);
    EXPECT_NEAR(late, 1 - lowered(first) / lowered(all), 1e-9) << iterations;
  }
}

TEST(PcgEnergy, GoesOnWhileSoftModesGain) {
  Points exact, x;
  solve_pcg(chain(), pulls(), Filter(), {1e-12}, exact);
  PcgOptions options{.tolerance = 0.3};
  EXPECT_TRUE(solve_pcg(chain(), pulls(), Filter(), options, x).converged);
  EXPECT_LT(lowered(x), 0.3 * lowered(exact)) << "there is nothing to show";
  options.most_gained_late = 0.1;
  EXPECT_TRUE(solve_pcg(chain(), pulls(), Filter(), options, x = Points()).converged);
  EXPECT_GT(lowered(x), 0.9 * lowered(exact));
}

}  // namespace
}  // namespace muslin

#include "muslin/linear/lean_matrix.h"

#include <gtest/gtest.h>

#include "curved_sheet.h"
#include "muslin/core/random.h"
#include "muslin/core/simd.h"
#include "muslin/core/vector.h"
#include "muslin/energy/assembly.h"

// A matrix with floats off the diagonal beside the same in doubles: the Hessian of a curved, crumpled sheet.

namespace muslin {
namespace {

class LeanMatrixOfCloth : public testing::TestWithParam<Hessian> {
 protected:
  void TearDown() override {
    set_threads(0);
    limit_simd(Simd::avx512);
  }

  LeanMatrixOfCloth() {
    const Model model = curved_sheet({41, 40});
    n = model.vertex_count();
    x = model.start + 0.004 * draws(1);
    HessianAssembly assembly(model.energies, n);
    assembly.assemble(model.energies, x, GetParam(), exact);
    assembly.prepare_rows(model.energies, GetParam());
    lean.assign(assembly.pattern(),
                [&](const RowChunk& rows) { assembly.assemble_rows(model.energies, x, GetParam(), rows); });
  }

  Points draws(int seed) const {
    Points points(3, n);
    for (int k = 0; k < 3 * n; ++k) points.data()[k] = 2 * random_unit(seed, k, 0) - 1;
    return points;
  }
  template <class Matrix>
  static Points product(const Matrix& matrix, const Points& v) {
    Points y(3, v.cols());
    matrix.multiply(v, y);
    return y;
  }

  int n = 0;
  Points x;
  BlockMatrix exact;
  LeanMatrix lean;
};

TEST_P(LeanMatrixOfCloth, MultipliesAsDoublesDoToTheRoundingOfFloats) {
  const Points v = draws(2), expected = product(exact, v);
  const double error = (product(lean, v) - expected).norm();
  EXPECT_LT(error, 1e-7 * expected.norm());
  EXPECT_GT(error, 1e-10 * expected.norm()) << "these are floats";
}

TEST_P(LeanMatrixOfCloth, IsSymmetric) {
  const Points u = draws(3), v = draws(4);
  const double there = dot(u, product(lean, v)), back = dot(v, product(lean, u));
  EXPECT_NEAR(there, back, 1e-12 * product(lean, u).norm() * v.norm());
}

// Of a cloth that moves as a whole no spring knows: in floats, a stiff one would hold it.
TEST_P(LeanMatrixOfCloth, HasTheSumsOfItsRows) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, exact.diagonal(i).norm());
  for (int axis = 0; axis < 3; ++axis) {
    const Points shift = Vec3::Unit(axis).replicate(1, n);
    const Points sums = product(lean, shift);
    for (int i = 0; i < n; ++i)  // what is skew of a diagonal's roundings is left out
      EXPECT_LT(std::abs(sums(axis, i)), 1e-12 * largest) << i;
    EXPECT_LT(std::abs(dot(shift, sums)), 1e-12 * largest * n);
  }
}

TEST_P(LeanMatrixOfCloth, HasTheSameBitsAtEveryWidthAndForAnyNumberOfThreads) {
  const Points v = draws(5);
  set_threads(1);
  limit_simd(Simd::plain);
  const Points first = product(lean, v);
  for (const Simd simd : {Simd::plain, Simd::avx2, Simd::avx512})
    for (const int threads : {1, 3}) {
      limit_simd(simd);
      set_threads(threads);
      EXPECT_EQ(product(lean, v), first);
    }
}

TEST_P(LeanMatrixOfCloth, GivesItsRowsToACycle) {
  const int first = kChunkRows, last = n;
  const BlockPattern& pattern = *lean.shared_pattern();
  std::vector<FloatBlock> blocks(pattern.begin[last] - pattern.begin[first]);
  std::vector<Mat3> diagonal(last - first);
  lean.copy_rows({first, last, blocks.data(), diagonal.data()});
  for (int i = first; i < last; ++i) {
    EXPECT_EQ(diagonal[i - first], lean.diagonal(i));
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
      if (pattern.column[s] != i) {
        EXPECT_LT((blocks[s - pattern.begin[first]] - padded(exact.block(s))).norm(),
                  1e-6 * exact.diagonal(i).norm());
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LeanMatrixOfCloth,
                         testing::Values(Hessian::exact, Hessian::projected, Hessian::model),
                         [](const auto& each) {
                           return each.param == Hessian::exact       ? "exact"
                                  : each.param == Hessian::projected ? "projected"
                                                                     : "model";
                         });

}  // namespace
}  // namespace muslin

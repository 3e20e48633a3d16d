#include "muslin/linear/smoother.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "muslin/core/parallel.h"
#include "muslin/core/random.h"
#include "muslin/core/simd.h"
#include "muslin/linear/aggregation.h"
#include "muslin/linear/chunk_bound.h"
#include "muslin/linear/coarse_product.h"

// Gauss–Seidel in lanes against a plain loop over rows, to the bit; the coarse matrix against sums in
// doubles.

namespace muslin {
namespace {

using Floats = Smoother::Floats;

double number(std::uint64_t seed, int id, int k) { return 2 * random_unit(seed, id, k) - 1; }

/// A sheet of 50 × 50 vertices, so of three chunks, with some far pairs.
BlockPattern sheet(int side, int far_pairs) {
  std::vector<Stencil<2>> pairs;
  const auto couple = [&](int a, int b) { pairs.push_back({std::min(a, b), std::max(a, b)}); };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const int v = j * side + i;
      if (i + 1 < side) couple(v, v + 1);
      if (j + 1 < side) couple(v, v + side);
      if (i + 1 < side && j + 1 < side) (i + j) % 2 ? couple(v, v + side + 1) : couple(v + 1, v + side);
    }
  for (int k = 0; k < far_pairs; ++k) {
    const int a = static_cast<int>(random_unit(1, k, 0) * side * side),
              b = static_cast<int>(random_unit(1, k, 1) * side * side);
    if (a != b) couple(a, b);
  }
  return BlockPattern(side * side, pairs);
}

/// A symmetric matrix of random blocks.
BlockMatrix random_matrix(const BlockPattern& pattern, std::uint64_t seed) {
  BlockMatrix A(std::make_shared<BlockPattern>(pattern));
  for (int i = 0; i < A.rows(); ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
      const int j = pattern.column[s];
      if (j > i) continue;
      Mat3 block;
      for (int k = 0; k < 9; ++k) block.data()[k] = number(seed, s, k);
      if (j == i) block = (block * block.transpose() + 10 * Mat3::Identity()).eval();
      A.block(s) = block;
      A.block(pattern.find(j, i)) = block.transpose();
    }
  return A;
}

std::vector<Mat3> random_blocks(int n, std::uint64_t seed, int every) {
  std::vector<Mat3> blocks(n, Mat3::Zero());
  for (int i = 0; i < n; i += every)
    for (int k = 0; k < 9; ++k) blocks[i].data()[k] = number(seed, i, k);
  return blocks;
}

/// Vectors of places, zero in padding.
Floats random_vector(const Smoother& smoother, std::uint64_t seed, int columns) {
  Floats vector = Floats::Zero(4, columns);
  for (int p = 0; p < smoother.places(); ++p)
    for (int k = 0; k < 3 && smoother.row(p) >= 0; ++k)
      vector(k, p) = static_cast<float>(number(seed, smoother.row(p), k));
  return vector;
}

/// All that a sweep works with, and the sweeps row by row.
struct Reference {
  const BlockMatrix &A, &added;
  const std::vector<Mat3>&inverse, &bound;
  const Smoother& order;

  using Vec = Eigen::Vector3f;
  enum class Part { lower, upper, outer };

  static Vec times(const Mat3& block, const Vec& v) {
    const Eigen::Matrix3f B = block.cast<float>();
    return B.col(0) * v[0] + B.col(1) * v[1] + B.col(2) * v[2];
  }
  Part part(int i, int j) const {
    if (!order.sweeps(i, j)) return Part::outer;
    return order.place(j) < order.place(i) ? Part::lower : Part::upper;
  }
  void subtract(const BlockMatrix& matrix, int i, Part wanted, const Floats& v, Vec& sum) const {
    const BlockPattern& pattern = matrix.pattern();
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
      const int j = pattern.column[s];
      if (j == i || part(i, j) != wanted) continue;
      const Eigen::Matrix3f B = matrix.block(s).cast<float>();
      for (int c = 0; c < 3; ++c) sum -= B.col(c) * v(c, order.place(j));
    }
  }
  Vec at(const Floats& v, int i) const { return v.col(order.place(i)).head<3>(); }

  void forwards(const Floats& b, Floats& x, Floats& r) const {
    for (int p = 0; p < order.places(); ++p) {
      const int i = order.row(p);
      if (i < 0) continue;
      Vec sum = at(b, i);
      subtract(added, i, Part::lower, x, sum);
      subtract(A, i, Part::lower, x, sum);
      x.col(p).head<3>() = times(inverse[i], sum);
    }
    for (int i = 0; i < A.rows(); ++i) {
      Vec sum = Vec::Zero();
      subtract(added, i, Part::upper, x, sum);
      sum += times(bound[i], at(x, i));
      subtract(A, i, Part::upper, x, sum);
      subtract(added, i, Part::outer, x, sum);
      subtract(A, i, Part::outer, x, sum);
      r.col(order.place(i)).head<3>() = sum;
    }
  }
  void backwards(const Floats& b, const Floats& before, Floats& x) const {
    for (int p = order.places() - 1; p >= 0; --p) {
      const int i = order.row(p);
      if (i < 0) continue;
      Vec sum = at(b, i);
      subtract(added, i, Part::outer, before, sum);
      subtract(added, i, Part::lower, before, sum);
      subtract(added, i, Part::upper, x, sum);
      sum += times(bound[i], at(before, i));
      subtract(A, i, Part::outer, before, sum);
      subtract(A, i, Part::lower, before, sum);
      subtract(A, i, Part::upper, x, sum);
      x.col(p).head<3>() = times(inverse[i], sum);
    }
  }
};

std::vector<FloatBlock> zero_and_blocks(const BlockMatrix& A, int chunk) {
  const BlockPattern& pattern = A.pattern();
  std::vector<FloatBlock> blocks{FloatBlock::Zero()};
  const int first = chunk * kChunkRows, last = std::min(A.rows(), first + kChunkRows);
  for (int s = pattern.begin[first]; s < pattern.begin[last]; ++s) blocks.push_back(padded(A.block(s)));
  return blocks;
}

TEST(Smoother, SweepsAsAPlainLoopToTheBitAtAnyWidthAndNumberOfThreads) {
  const BlockPattern pattern = sheet(50, 0);
  const BlockMatrix A = random_matrix(pattern, 2), added = random_matrix(sheet(50, 700), 3),
                    nothing(std::make_shared<BlockPattern>(pattern.rows(), std::vector<Stencil<2>>()));
  const std::vector<Mat3> inverse = random_blocks(A.rows(), 4, 1), bound = random_blocks(A.rows(), 5, 3);
  for (const bool adds : {false, true})
    for (const Simd simd : {Simd::plain, Simd::avx2, Simd::avx512})
      for (const int count : {1, 3}) {
        set_threads(count);
        limit_simd(simd);
        Smoother smoother(pattern);
        for (int c = 0; c < chunks_of(A.rows()); ++c) smoother.set_blocks(c, zero_and_blocks(A, c).data());
        EXPECT_TRUE(smoother.set_diagonal([&](int i, Mat3& of_inverse, Mat3& of_bound) {
          of_inverse = inverse[i];
          of_bound = bound[i];
          return true;
        }));
        smoother.set_added(adds ? &added : nullptr);
        const Reference plain{A, adds ? added : nothing, inverse, bound, smoother};

        const int columns = smoother.places() + 1;
        const Floats b = random_vector(smoother, 6, smoother.places());
        Floats x = Floats::Zero(4, columns), r = x, plain_x = x, plain_r = x;
        smoother.sweep_forwards(b, x, r);
        plain.forwards(b, plain_x, plain_r);
        EXPECT_TRUE(x == plain_x);
        EXPECT_TRUE(r == plain_r);
        Floats before = random_vector(smoother, 7, columns);
        smoother.sweep_backwards(b, before, x);
        plain.backwards(b, before, plain_x);
        EXPECT_TRUE(x == plain_x);
      }
  limit_simd(Simd::avx512);
  set_threads(0);
}

TEST(Smoother, RowsSideBySideDoNotCouple) {
  const BlockPattern pattern = sheet(50, 300);
  const Smoother smoother(pattern);
  std::vector<int> seen(pattern.rows(), 0);
  for (int p = 0; p < smoother.places(); ++p)
    if (smoother.row(p) >= 0) {
      ++seen[smoother.row(p)];
      EXPECT_EQ(smoother.place(smoother.row(p)), p);
    }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), pattern.rows());
  for (int i = 0; i < pattern.rows(); ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
      const int j = pattern.column[s];
      EXPECT_EQ(smoother.sweeps(i, j), j != i && i / kChunkRows == j / kChunkRows);
    }
}

TEST(ChunkBound, MagnitudeBoundsItsBlock) {
  for (int k = 0; k < 200; ++k) {
    Mat3 block = random_blocks(1, 20 + k, 1)[0];
    if (k % 3 == 1) block = (block + block.transpose()).eval();
    if (k % 3 == 2) block = (-block.col(0) * block.col(0).transpose()).cast<float>().cast<double>().eval();
    const Mat3 row = magnitude(block), column = magnitude(block.transpose());
    for (int t = 0; t < 20; ++t) {
      const Vec3 x(number(9, t, 0), number(9, t, 1), number(9, t, 2)),
          y(number(9, t, 3), number(9, t, 4), number(9, t, 5));
      EXPECT_LE(2 * std::abs(x.dot(block * y)), (x.dot(row * x) + y.dot(column * y)) * (1 + 1e-6));
    }
  }
}

TEST(CoarseProduct, IsTheProductInDoubles) {
  const BlockPattern pattern = sheet(50, 40);
  const BlockMatrix A = random_matrix(pattern, 8);
  Eigen::SparseMatrix<double> laplacian(A.rows(), A.rows());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < A.rows(); ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
      entries.emplace_back(i, pattern.column[s],
                           pattern.column[s] == i ? pattern.begin[i + 1] - pattern.begin[i] : -1.0);
  laplacian.setFromTriplets(entries.begin(), entries.end());
  std::vector<char> held(A.rows(), 0);
  held[7] = 1;
  const Prolongator P = smoothed_aggregation(laplacian, held);

  CoarseProduct product(A.shared_pattern(), P);
  std::vector<FloatBlock> row;
  std::vector<Mat3> diagonal(A.rows());
  for (int c = chunks_of(A.rows()) - 1; c >= 0; --c) {  // in any order
    std::vector<FloatBlock> blocks = zero_and_blocks(A, c);
    const int first = c * kChunkRows, last = std::min(A.rows(), first + kChunkRows);
    product.add_up({first, last, blocks.data() + 1, diagonal.data() + first}, row);
  }
  const BlockPattern& coarse = *product.pattern();
  std::vector<FloatBlock> result(coarse.slots());
  diagonal.resize(coarse.rows());
  ASSERT_LE(coarse.rows(), kChunkRows);
  product.sum({0, coarse.rows(), result.data(), diagonal.data()});

  std::vector<Mat3> expected(static_cast<size_t>(coarse.rows()) * coarse.rows(), Mat3::Zero());
  for (int i = 0; i < A.rows(); ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s)
      for (int k = P.begin[i]; k < P.begin[i + 1]; ++k)
        for (int l = P.begin[pattern.column[s]]; l < P.begin[pattern.column[s] + 1]; ++l)
          expected[P.column[k] * coarse.rows() + P.column[l]] += P.weight[k] * P.weight[l] * A.block(s);
  for (int a = 0; a < coarse.rows(); ++a) {
    for (int s = coarse.begin[a]; s < coarse.begin[a + 1]; ++s) {
      Mat3& wanted = expected[a * coarse.rows() + coarse.column[s]];
      EXPECT_LT((result[s].topRows<3>().cast<double>() - wanted).norm(), 1e-5 * diagonal[a].norm());
      wanted.setZero();
    }
    for (int b = 0; b < coarse.rows(); ++b)
      EXPECT_TRUE(expected[a * coarse.rows() + b].isZero(0)) << "beyond the pattern";
  }
}

}  // namespace
}  // namespace muslin

#include "muslin/energy/assembly.h"

#include <gtest/gtest.h>

#include <cstring>

#include "muslin/core/parallel.h"

// The assembled Hessian against a sum over elements that knows no slots, chunks or constants.

namespace muslin {
namespace {

constexpr int kVertices = 3000;  // several chunks of rows

/// Springs and triangles between near and far vertices, bending over stencils that repeat a vertex where a
/// neighbour is missing, and some anchors.
Energies random_energies(int vertices) {
  Energies energies;
  std::srand(5);
  const auto near = [&](int v, int reach) { return std::min(vertices - 1, v + 1 + std::rand() % reach); };
  for (int v = 0; v + 1 < vertices; ++v)
    for (const int reach : {1, 60, vertices}) {
      energies.springs.add({v, near(v, reach)}, 0.01, {}, 1 + v % 5, 0.5 + 0.1 * (v % 9));
    }
  for (int v = 0; v < vertices; v += 11) {
    energies.pulls.add({v}, 0.01, {}, 1 + v % 3, Vec3::Random());
  }
  for (int v = 0; v + 8 < vertices; ++v) {
    const int a = v, b = near(v, 2), c = near(b, v % 7 == 0 ? vertices - b - 3 : 60), d = near(c, 2);
    const Local<3> rest = Local<3>::Random();
    const Vec3 warp = (rest.col(1) - rest.col(0)).normalized();
    energies.baraff_witkin.add({a, b, c}, 0, {rest_triangle(rest, warp)}, {3, 2, 1}, {1, 1, 0});
    const PlateStencil plate{a, b, c, v % 2 ? a : d, v % 3 ? b : c, v % 5 ? near(a, 9) : d};
    energies.bending.add(plate, 0.01, BendingEnergy::Shape::Random(), 0.1 * (1 + v % 3));
    const Mat3 root = Mat3::Random();
    energies.dihedral.add(plate, 0.01,
                          {{is_border(plate, 0), is_border(plate, 1), is_border(plate, 2)},
                           Eigen::Matrix<double, 3, 6>::Random()},
                          root * root.transpose(), 0.1 * Vec3::Random());
  }
  return energies;
}

template <class Element>
LocalHessian<Element::kSize> hessian_of(const Element& element, const Local<Element::kSize>& x,
                                        Hessian which) {
  if (which == Hessian::exact) return element.hessian(x);
  LocalHessian<Element::kSize> hessian = element.hessian_psd(x);
  if constexpr (std::is_same_v<Element, DihedralBending<double>>)
    if (which == Hessian::model) {
      const Pairs<6> flat = element.shape.hinges.transpose() * element.stiffness * element.shape.hinges;
      for (int a = 0; a < 6; ++a)
        for (int b = 0; b < 6; ++b)
          hessian.template block<3, 3>(3 * a, 3 * b) = flat(a, b) * Mat3::Identity();
    }
  return hessian;
}

/// (∂²E/∂x²) d, element by element; a plate of the model is flat.
Points times_elements(const Energies& energies, const Points& x, Hessian which, const Points& d) {
  Points sum = Points::Zero(3, x.cols());
  energies.each([&](const auto& energy) {
    constexpr int n = std::decay_t<decltype(energy)>::kSize;
    for (int e = 0; e < energy.size(); ++e) {
      const Local<n> at = gather(x, energy.vertices(e)), along = gather(d, energy.vertices(e));
      const LocalHessian<n> hessian = hessian_of(energy[e], at, which);
      const Eigen::Matrix<double, 3 * n, 1> product =
          hessian * Eigen::Map<const Eigen::Matrix<double, 3 * n, 1>>(along.data());
      for (int k = 0; k < n; ++k) sum.col(energy.vertices(e)[k]) += product.template segment<3>(3 * k);
    }
  });
  return sum;
}

/// Of every block of a matrix, the sum of the sizes of what elements add to it: what rounding is relative to.
std::vector<double> sizes_of_sums(const BlockPattern& pattern, const Energies& energies, const Points& x,
                                  Hessian which) {
  std::vector<double> sizes(pattern.slots(), 0);
  energies.each([&](const auto& energy) {
    constexpr int n = std::decay_t<decltype(energy)>::kSize;
    for (int e = 0; e < energy.size(); ++e) {
      const LocalHessian<n> hessian = hessian_of(energy[e], gather(x, energy.vertices(e)), which);
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          sizes[pattern.find(energy.vertices(e)[a], energy.vertices(e)[b])] +=
              hessian.template block<3, 3>(3 * a, 3 * b).norm();
    }
  });
  return sizes;
}

/// The same chunk by chunk in floats: the diagonal to the bit, the others to the rounding of some floats.
void expect_rows(HessianAssembly& assembly, const BlockMatrix& matrix, const Energies& energies,
                 const Points& x, Hessian which) {
  const BlockPattern& pattern = matrix.pattern();
  const std::vector<double> sizes = sizes_of_sums(pattern, energies, x, which);
  assembly.prepare_rows(energies, which);
  for (int first = 0; first < pattern.rows(); first += kChunkRows) {
    const int last = std::min(pattern.rows(), first + kChunkRows);
    std::vector<FloatBlock> blocks(pattern.begin[last] - pattern.begin[first]);
    std::vector<Mat3> diagonal(last - first);
    assembly.assemble_rows(energies, x, which, {first, last, blocks.data(), diagonal.data()});
    for (int row = first; row < last; ++row)
      for (int s = pattern.begin[row]; s < pattern.begin[row + 1]; ++s) {
        if (s == pattern.diagonal[row]) {
          EXPECT_EQ(diagonal[row - first], matrix.block(s));
          continue;
        }
        const FloatBlock& block = blocks[s - pattern.begin[first]];
        EXPECT_LE((block.topRows<3>().cast<double>() - matrix.block(s)).norm(), 1e-6 * sizes[s]);
        EXPECT_TRUE(block.row(3).isZero(0));
      }
  }
}

void expect_sum(const BlockMatrix& matrix, const Energies& energies, const Points& x, Hessian which) {
  for (int k = 0; k < 3; ++k) {
    const Points d = Points::Random(3, x.cols());
    Points product;
    matrix.multiply(d, product);
    const Points expected = times_elements(energies, x, which, d);
    EXPECT_LT((product - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
  }
}

TEST(HessianAssembly, IsTheSumOverElements) {
  const Energies energies = random_energies(kVertices);
  HessianAssembly assembly(energies, kVertices);
  BlockMatrix matrix;
  for (int k = 0; k < 2; ++k) {
    const Points x = Points::Random(3, kVertices);  // many springs are compressed
    for (const Hessian which : {Hessian::exact, Hessian::projected, Hessian::model}) {
      assembly.assemble(energies, x, which, matrix);
      expect_sum(matrix, energies, x, which);
      expect_rows(assembly, matrix, energies, x, which);
    }
  }
}

TEST(HessianAssembly, DenseAndSmall) {
  const int n = 12;
  const Energies energies = random_energies(n);
  HessianAssembly assembly(energies, n);
  BlockMatrix matrix(assembly.pattern());
  const Points x = Points::Random(3, n);
  assembly.assemble(energies, x, Hessian::exact, matrix);
  for (int column = 0; column < 3 * n; ++column) {
    Points unit = Points::Zero(3, n);
    unit.data()[column] = 1;
    const Points expected = times_elements(energies, x, Hessian::exact, unit);
    for (int row = 0; row < n; ++row) {
      const int slot = assembly.pattern()->find(row, column / 3);
      const Vec3 found = slot < 0 ? Vec3(Vec3::Zero()) : Vec3(matrix.block(slot).col(column % 3));
      EXPECT_LT((found - expected.col(row)).norm(), 1e-12 * expected.norm());
    }
  }
}

TEST(HessianAssembly, FollowsChangedNumbers) {
  Energies energies = random_energies(kVertices);
  HessianAssembly assembly(energies, kVertices);
  const Points x = Points::Random(3, kVertices);
  BlockMatrix matrix;
  assembly.assemble(energies, x, Hessian::exact, matrix);
  const Energies elastic = energies;
  damp(elastic, Points::Random(3, kVertices), 0.02, energies);
  energies.bending.stiffness[7] *= 3;
  for (double& length : energies.springs.rest) length *= 1.1;
  for (const Hessian which : {Hessian::exact, Hessian::model}) {
    assembly.assemble(energies, x, which, matrix);
    expect_sum(matrix, energies, x, which);
    energies.dihedral.stiffness[9] *= 2;
  }
  assembly.assemble(energies, x, Hessian::model, matrix);
  expect_sum(matrix, energies, x, Hessian::model);
}

TEST(HessianAssembly, SameBitsForAnyNumberOfThreads) {
  const Energies energies = random_energies(kVertices);
  std::srand(9);
  const Points x = Points::Random(3, kVertices);
  std::vector<double> first;
  for (const int count : {1, 2, 3, 7}) {
    set_threads(count);
    HessianAssembly assembly(energies, kVertices);
    BlockMatrix matrix;
    assembly.assemble(energies, x, Hessian::projected, matrix);
    const double* values = matrix.block(0).data();
    if (count == 1) first.assign(values, values + 9 * matrix.pattern().slots());
    EXPECT_EQ(std::memcmp(first.data(), values, sizeof(double) * first.size()), 0) << count;
  }
  set_threads(0);
}

TEST(HessianAssembly, NothingToAssemble) {
  HessianAssembly assembly(Energies(), 5);
  BlockMatrix matrix;
  assembly.assemble(Energies(), Points::Zero(3, 5), Hessian::exact, matrix);
  EXPECT_EQ(matrix.pattern().slots(), 5);
  EXPECT_EQ(matrix.block(4), Mat3::Zero());
}

TEST(MajorantMatrix, IsTheSumOverElements) {
  const int n = 40;
  const Energies energies = random_energies(n);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(n, n);
  energies.each([&](const auto& energy) {
    for (int e = 0; e < energy.size(); ++e)
      for (size_t a = 0; a < energy.vertices(e).size(); ++a)
        for (size_t b = 0; b < energy.vertices(e).size(); ++b)
          expected(energy.vertices(e)[a], energy.vertices(e)[b]) +=
              energy[e].majorant()(static_cast<int>(a), static_cast<int>(b));
  });
  const Eigen::SparseMatrix<double> matrix = HessianAssembly(energies, n).majorant_matrix(energies);
  EXPECT_LT((Eigen::MatrixXd(matrix) - expected).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(HessianAssembly(Energies(), 3).majorant_matrix(Energies()).nonZeros(), 3);
}

}  // namespace
}  // namespace muslin

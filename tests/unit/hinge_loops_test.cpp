#include "muslin/energy/hinge_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "curved_sheet.h"
#include "muslin/core/lane_atan2.h"
#include "muslin/core/random.h"
#include "muslin/core/simd.h"
#include "muslin/energy/hinge_kernels.h"

// Loops over hinges say what the elements say one by one, of a sheet that is curved at rest.

namespace muslin {
namespace {

class HingeLoops : public testing::Test {
 protected:
  void TearDown() override { set_threads(0); }

  HingeLoops() {
    const Model model = curved_sheet({9, 7});
    x = model.start;
    for (int v = 0; v < x.cols(); ++v)
      x.col(v) += 0.02 * Vec3(random_unit(1, v, 0), random_unit(1, v, 1), random_unit(1, v, 2));

    // Damping changes stiffness and rest element by element
    DihedralEnergy elastic = model.energies.dihedral;
    for (int e = 0; e < elastic.size(); ++e) elastic.edit().damping[e] = 0.01 * (e % 5);
    damp(elastic, model.start, 0.02, energy);
  }

  Points x;
  DihedralEnergy energy;
};

TEST_F(HingeLoops, FindEveryHingeOnceWithItsTwoElements) {
  const PlateHinges& hinges = energy.shared();
  EXPECT_EQ(energy.size(), 96);
  EXPECT_EQ(hinges.size(), (3 * 96 - 28) / 2);  // of 28 edges at the border nothing bends
  int borders = 0;
  for (int e = 0; e < energy.size(); ++e)
    for (int k = 0; k < 3; ++k) {
      const int h = hinges.of_element[e][k];
      borders += h < 0;
      EXPECT_EQ(h < 0, energy.shapes()[e].is_border[k]);
      if (h < 0) continue;
      EXPECT_TRUE(hinges.places[h][0] == 3 * e + k || hinges.places[h][1] == 3 * e + k);
    }
  EXPECT_EQ(borders, 28);
}

TEST_F(HingeLoops, SumEnergyAndGradientOfTheElements) {
  double value = 0;
  Points gradient = Points::Zero(3, x.cols());
  for (int e = 0; e < energy.size(); ++e) {
    const Local<6> place = gather(x, energy.vertices(e)), slope = energy[e].gradient(place);
    value += energy[e].value(place);
    for (int k = 0; k < 6; ++k) gradient.col(energy.vertices(e)[k]) += slope.col(k);
  }
  Scratch scratch;
  Points found = Points::Zero(3, x.cols()), alone = found;
  EXPECT_NEAR(total_value(energy, x), value, 1e-12 * value);
  EXPECT_NEAR(add_value_and_gradient(energy, x, scratch, found), value, 1e-12 * value);
  add_gradient(energy, x, scratch, alone);
  EXPECT_LT((found - gradient).norm(), 1e-12 * gradient.norm());
  EXPECT_EQ(alone, found);
  EXPECT_GT(value, 0);
}

TEST_F(HingeLoops, HaveTheSameBitsForAnyNumberOfThreads) {
  Scratch scratch;
  Points one = Points::Zero(3, x.cols()), three = one;
  set_threads(1);
  const double value = add_value_and_gradient(energy, x, scratch, one);
  set_threads(3);
  EXPECT_EQ(add_value_and_gradient(energy, x, scratch, three), value);
  EXPECT_EQ(one, three);
}

// --- several at once ------------------------------------------------------------------------------------

std::uint64_t bits(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

TEST(LaneAtan2, HasTheBitsOfSingleNumbers) {
  const double infinity = std::numeric_limits<double>::infinity(),
               tiny = std::numeric_limits<double>::denorm_min();
  std::vector<double> numbers = {0,        1,    0.4375, 0.6875, 1.1875, 2.4375,
                                 infinity, tiny, 1e-308, 1e308,  0x1p64, 0x1p-60};
  const size_t special = numbers.size();
  for (size_t k = 0; k < special; ++k)
    for (const double next : {0.0, infinity}) numbers.push_back(std::nextafter(numbers[k], next));
  for (int k = 0; k < 300; ++k)
    numbers.push_back(std::exp2(80 * (2 * random_unit(2, k, 0) - 1) * (k % 3 > 0 ? 0.02 : 1)));
  const size_t count = numbers.size();
  for (size_t k = 0; k < count; ++k) numbers.push_back(-numbers[k]);
  int asked = 0;
  static int* exactly = &asked;
  for (const double y : numbers)
    for (size_t k = 0; k < numbers.size(); k += 2) {
      const auto count_and_ask = [](double a, double b) { return ++*exactly, maths::atan2(a, b); };
      const DoublesOf<2>::Type both = {y, y}, at = {numbers[k], numbers[k + 1]};
      const DoublesOf<2>::Type of = LaneAtan2<2>::of(both, at, count_and_ask);
      for (int lane = 0; lane < 2; ++lane)
        ASSERT_EQ(bits(of[lane]), bits(maths::atan2(y, numbers[k + lane]))) << y << ' ' << numbers[k + lane];
    }
  EXPECT_LT(asked, 0.4 * double(numbers.size() * numbers.size())) << "most are found in lanes";
}

/// Four places: of any shape, flat, folded back, or without an edge or a triangle.
Local<4> any_fold(int trial) {
  const auto vector = [&](int k) {
    return Vec3(random_unit(3, trial, 3 * k), random_unit(3, trial, 3 * k + 1),
                random_unit(3, trial, 3 * k + 2));
  };
  Local<4> x;
  x << vector(0), vector(1), vector(2), vector(3);
  switch (trial % 8) {
    case 1:
      x.row(2).setZero();
      break;
    case 2:
      x.col(3) = x.col(2);
      break;
    case 3:
      x.col(1) = x.col(0);
      break;
    case 4:
      x.col(2) = 0.5 * (x.col(0) + x.col(1));
      break;
    case 5:
      x.row(2) *= 1e-12;
      break;
    case 6:
      x *= trial % 16 < 8 ? 1e-70 : 1e70;
      break;
    default:
      break;
  }
  return x;
}

TEST(HingeKernels, HaveTheBitsOfFoldAtEveryWidth) {
  constexpr int kHinges = 10'003;
  Points x(3, 4 * kHinges);
  std::vector<Stencil<4>> vertices(kHinges);
  std::vector<double> expected;
  for (int h = 0; h < kHinges; ++h) {
    x.middleCols<4>(4 * h) = any_fold(h);
    vertices[h] = {4 * h, 4 * h + 1, 4 * h + 2, 4 * h + 3};
    const Fold<double> fold(x.col(4 * h), x.col(4 * h + 1), x.col(4 * h + 2), x.col(4 * h + 3));
    expected.insert(expected.end(), fold.A.begin(), fold.A.end());
    expected.insert(expected.end(), fold.B.begin(), fold.B.end());
    expected.insert(expected.end(), {fold.alpha, fold.beta, fold.angle()});
  }
  const HingeJob job{x.data(), vertices.data()->data(), maths::atan2};
  for (const Simd simd : {Simd::plain, Simd::avx2, Simd::avx512}) {
    limit_simd(simd);
    std::vector<double> folds(9 * kHinges), angles(kHinges);
    hinge_kernels().folds(job, 0, kHinges, folds.data());
    hinge_kernels().angles(job, 0, kHinges, angles.data());
    for (int h = 0; h < kHinges; ++h) {
      for (int k = 0; k < 9; ++k)
        ASSERT_EQ(bits(folds[9 * h + k]), bits(expected[9 * h + k])) << h << ' ' << k;
      ASSERT_EQ(bits(angles[h]), bits(expected[9 * h + 8])) << h;
    }
  }
}

}  // namespace
}  // namespace muslin

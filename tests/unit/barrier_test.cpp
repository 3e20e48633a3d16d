#include "muslin/contact/pairs/barrier.h"

#include <gtest/gtest.h>

#include <limits>

namespace muslin {
namespace {

constexpr Barrier kBarrier{0.004, 1000};

TEST(ContactBarrier, HasTheValuesOfItsFormula) {
  EXPECT_EQ(kBarrier.value(0.004), 0);
  EXPECT_EQ(kBarrier.value(1), 0);
  EXPECT_DOUBLE_EQ(kBarrier.value(0.002), 1000 * 4e-6 * std::log(2));
  EXPECT_DOUBLE_EQ(kBarrier.value(0.001), 1000 * 9e-6 * 2 * std::log(2));
  EXPECT_EQ(kBarrier.value(0), std::numeric_limits<double>::infinity());
  EXPECT_EQ((Barrier{0, 1000}.value(0)), 0);
}

TEST(ContactBarrier, DerivativesAreThoseOfDifferences) {
  for (const double d : {1e-9, 1e-6, 1e-4, 1e-3, 1.9e-3, 2.1e-3, 3e-3, 3.9e-3, 4.1e-3}) {
    double first = 1e300, second = 1e300;  // least error of the sweep, in parts of the number
    for (double eps = 1e-2 * d; eps > 1e-9 * d; eps /= 10) {
      const double slope = (kBarrier.value(d + eps) - kBarrier.value(d - eps)) / (2 * eps);
      const double curvature = (kBarrier.slope(d + eps) - kBarrier.slope(d - eps)) / (2 * eps);
      first = std::min(first, std::abs(slope - kBarrier.slope(d)));
      second = std::min(second, std::abs(curvature - kBarrier.curvature(d)));
    }
    EXPECT_LE(first, 1e-8 * std::abs(kBarrier.slope(d))) << d;
    EXPECT_LE(second, 1e-8 * kBarrier.curvature(d)) << d;
  }
}

TEST(ContactBarrier, BeginsWithoutForceAndWithoutCurvature) {
  const double inside = 0.004 * (1 - 1e-9);
  EXPECT_NEAR(kBarrier.slope(inside), 0, 1e-13);
  EXPECT_NEAR(kBarrier.curvature(inside), 0, 1e-5);
  EXPECT_GT(kBarrier.curvature(inside), 0);
}

}  // namespace
}  // namespace muslin

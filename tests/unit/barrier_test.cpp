#include "muslin/contact/barrier.h"

#include <gtest/gtest.h>

#include <limits>

namespace muslin {
namespace {

constexpr Barrier kBarrier{0.004, 1000};

TEST(ContactBarrier, HasTheValuesOfItsFormula) {
  EXPECT_EQ(kBarrier.value(0.004), 0);
  EXPECT_EQ(kBarrier.value(1), 0);
  EXPECT_DOUBLE_EQ(kBarrier.value(0.003), 0.5e-3);  // ½ · 1000 · 0.001²
  EXPECT_DOUBLE_EQ(kBarrier.value(0.001), 1000 * 4e-6 * (0.5 + std::log(2)));
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

TEST(ContactBarrier, IsSmoothAtHalfTheRadiusAndForcesVanishAtTheRadius) {
  const double t = 0.002, below = t * (1 - 1e-12), above = t * (1 + 1e-12);
  EXPECT_NEAR(kBarrier.value(below) / kBarrier.value(above), 1, 1e-11);
  EXPECT_NEAR(kBarrier.slope(below) / kBarrier.slope(above), 1, 1e-11);
  EXPECT_NEAR(kBarrier.curvature(below) / kBarrier.curvature(above), 1, 1e-11);
  EXPECT_NEAR(kBarrier.slope(0.004 * (1 - 1e-12)), 0, 1e-11);
}

}  // namespace
}  // namespace muslin

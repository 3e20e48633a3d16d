#include "muslin/solver/quasi_newton/lagged_cycle.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

PcgReport of(int iterations) { return {.iterations = iterations}; }

TEST(LaggedCycle, ServesUntilItHasCostASetUp) {
  LaggedCycle cycle;
  EXPECT_FALSE(cycle.serves(Hessian::model, 0.1)) << "there is none";
  cycle.took(of(5), Hessian::model, 0.1, /*is_new=*/true);
  EXPECT_TRUE(cycle.serves(Hessian::model, 0.1));
  cycle.took(of(7), Hessian::model, 0.1, false);
  cycle.took(of(3), Hessian::model, 0.1, false);
  EXPECT_TRUE(cycle.serves(Hessian::model, 0.1)) << "two more than when it was new; fewer do not count back";
  cycle.took(of(7), Hessian::model, 0.1, false);
  EXPECT_FALSE(cycle.serves(Hessian::model, 0.1));
  cycle.took(of(9), Hessian::model, 0.1, true);
  cycle.took(of(12), Hessian::model, 0.1, false);
  EXPECT_TRUE(cycle.serves(Hessian::model, 0.1));
}

TEST(LaggedCycle, ServesItsOwnKindOfSolveAlone) {
  LaggedCycle cycle;
  cycle.took(of(5), Hessian::exact, 0.1, true);
  EXPECT_FALSE(cycle.serves(Hessian::model, 0.1));
  EXPECT_FALSE(cycle.serves(Hessian::exact, 0.01));
  cycle.took({.iterations = 1, .negative_curvature = true}, Hessian::exact, 0.1, false);
  EXPECT_FALSE(cycle.serves(Hessian::exact, 0.1)) << "it met negative curvature";
}

}  // namespace
}  // namespace muslin

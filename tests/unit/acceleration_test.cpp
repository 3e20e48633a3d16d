#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "muslin/solver/chebyshev.h"
#include "muslin/solver/lbfgs.h"

// Chebyshev's weights and L-BFGS on linear systems whose solution and spectrum are known.

namespace muslin {
namespace {

// --- Chebyshev -------------------------------------------------------------------------------------

/// Errors that a plain iteration multiplies by numbers in [0, rho], each in one component of a vertex; the
/// slow ones may begin small.
struct Diagonal {
  Points factor, error;
  explicit Diagonal(double rho, double slow_begins) {
    const int n = 200;
    factor.resize(3, n);
    error.resize(3, n);
    for (int k = 0; k < 3 * n; ++k) {
      factor(k) = rho * (1 - std::pow(k / (3.0 * n), 2));
      error(k) = k < 30 ? slow_begins : 1;
    }
  }
};

struct Descent {
  double error, way_to_go, rho;
};

/// The largest error after `iterations` of the accelerated method.
Descent run(Diagonal system, Chebyshev chebyshev, int iterations) {
  Points x = system.error, last = x;
  double move = 0;
  for (int k = 0; k < iterations; ++k) {
    const double omega = chebyshev.next();
    const Points next = last + omega * (x.cwiseProduct(system.factor) - last);
    move = chebyshev.watch(x, next);
    EXPECT_EQ(move, (next - x).colwise().norm().maxCoeff());
    last = x;
    x = next;
  }
  return {x.colwise().norm().maxCoeff(), chebyshev.way_to_go(move), chebyshev.rho()};
}

TEST(Chebyshev, WeightsAreThoseOfTheThreeTermRecurrence) {
  const double rho = 0.9;
  Chebyshev chebyshev(Acceleration::chebyshev, rho, 3);
  // ω_{k+1} = 2/ρ · T_k(1/ρ)/T_{k+1}(1/ρ) with the polynomials T
  const auto t = [&](int k) { return std::cosh(k * std::acosh(1 / rho)); };
  for (int k = 0; k < 3; ++k) EXPECT_EQ(chebyshev.next(), 1);
  for (int k = 1; k < 12; ++k) EXPECT_NEAR(chebyshev.next(), 2 / rho * t(k) / t(k + 1), 1e-14) << k;
  chebyshev.restart();
  EXPECT_EQ(chebyshev.next(), 1);
}

TEST(Chebyshev, ShrinksErrorsAsTheoryHasIt) {
  // After k iterations, of which the first is plain, no error is above 1/T_k(1/ρ) of what it was.
  for (const double rho : {0.5, 0.9, 0.99}) {
    for (const int k : {5, 20, 60}) {
      const Descent result = run(Diagonal(rho, 1), Chebyshev(Acceleration::chebyshev, rho, 1), k);
      EXPECT_LE(result.error, std::sqrt(3) / std::cosh(k * std::acosh(1 / rho)) + 1e-15);
    }
  }
}

TEST(Chebyshev, MeasuresWhatItIsNotTold) {
  for (const double rho : {0.97, 0.995, 0.999})
    for (const double slow_begins : {1.0, 0.1}) {
      const int iterations = static_cast<int>(30 / std::sqrt(1 - rho * rho)) + 20;
      const Descent plain =
          run(Diagonal(rho, slow_begins), Chebyshev(Acceleration::none, rho, 8), iterations);
      const Descent measured =
          run(Diagonal(rho, slow_begins), Chebyshev(Acceleration::chebyshev, {}, 8), iterations);
      EXPECT_LT(measured.rho, 1) << rho;
      EXPECT_GT(measured.rho, rho - (1 - rho)) << rho;
      EXPECT_LT(std::log10(measured.error), 2 * std::log10(plain.error))
          << rho << ": twice the digits at least";
    }
}

TEST(Chebyshev, KnowsItsWayToGo) {
  for (const Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev})
    for (const double rho : {0.6, 0.9, 0.97, 0.99}) {
      const int iterations = 400;
      const Descent measured = run(Diagonal(rho, 1), Chebyshev(acceleration, {}, 8), iterations);
      if (measured.error < 1e-290) continue;
      EXPECT_GT(measured.way_to_go, 0.3 * measured.error) << name_of(acceleration) << " " << rho;
      const Descent told = run(Diagonal(rho, 1), Chebyshev(acceleration, rho, 8), iterations);
      EXPECT_GE(told.way_to_go, 0.3 * told.error) << name_of(acceleration) << " " << rho;
    }
}

TEST(Chebyshev, StandsNumbersThatAreNone) {
  Chebyshev chebyshev(Acceleration::chebyshev, {}, 4);
  const Points x = Points::Zero(3, 2), bad = Points::Constant(3, 2, std::nan(""));
  for (int k = 0; k < 100; ++k) {
    const double omega = chebyshev.next();
    EXPECT_GE(omega, 1);
    EXPECT_LT(omega, 2);
    chebyshev.watch(x, bad);
  }
}

// --- L-BFGS ----------------------------------------------------------------------------------------

/// ½ xᵀAx over the 3n numbers of n vertices, symmetric and positive definite.
struct Quadratic {
  Eigen::MatrixXd a;
  explicit Quadratic(int n) {
    std::srand(4);
    const Eigen::MatrixXd r = Eigen::MatrixXd::Random(3 * n, 3 * n);
    a = r * r.transpose() + Eigen::MatrixXd::Identity(3 * n, 3 * n);
  }
  Points gradient(const Points& x) const {
    Points g(3, x.cols());
    g.reshaped() = a * x.reshaped();
    return g;
  }
};

void twice(const Points& b, Points& x) { x = 2 * b; }

TEST(Lbfgs, IsConjugateGradientsWithExactSteps) {
  // On a quadratic with exact steps the directions are conjugate [Nocedal 1980], whatever is remembered: the
  // minimum is found in as many steps as there are numbers.
  const int n = 4;
  const Quadratic f(n);
  for (const int history : {1, 3, 12}) {
    Lbfgs memory(history);
    Points x = Points::Random(3, n), direction;
    std::vector<Points> directions;
    double first = 0;
    for (int k = 0; k < 3 * n; ++k) {
      const Points g = f.gradient(x);
      if (k > 0 && g.norm() < 1e-6 * first) break;  // what is left is rounding
      if (k == 0) first = g.norm();
      memory.direction(g, twice, direction);
      for (const Points& earlier : directions)
        EXPECT_NEAR(Lbfgs::dot(earlier, f.gradient(direction)), 0,
                    1e-5 * earlier.norm() * f.gradient(direction).norm());
      directions.push_back(direction);
      const Points move =
          -Lbfgs::dot(g, direction) / Lbfgs::dot(direction, f.gradient(direction)) * direction;
      memory.add(move, f.gradient(move));
      x += move;
    }
    EXPECT_LT(x.norm(), 1e-9) << history;
  }
}

TEST(Lbfgs, MeetsTheSecantEquation) {
  const Quadratic f(3);
  Lbfgs memory(5);
  Points move, change, direction;
  for (int k = 0; k < 7; ++k) {
    move = Points::Random(3, 3);
    change = f.gradient(move);
    memory.add(move, change);
    memory.direction(change, twice, direction);  // −B⁻¹ y = −s
    EXPECT_LT((direction + move).norm(), 1e-10 * move.norm());
  }
}

TEST(Lbfgs, ForgetsWhatWouldNotDescend) {
  Lbfgs memory(5);
  const Points move = Points::Random(3, 3), gradient = Points::Random(3, 3);
  Points direction;
  memory.add(move, -move);
  EXPECT_TRUE(memory.empty());
  memory.direction(gradient, twice, direction);
  EXPECT_EQ(direction, -2 * gradient);
  memory.add(move, Points::Constant(3, 3, std::nan("")));
  EXPECT_TRUE(memory.empty());
  Lbfgs none(0);
  none.add(move, move);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace muslin

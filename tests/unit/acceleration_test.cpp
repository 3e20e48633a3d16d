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

struct Outcome {
  double error, distance_estimate, rho;
};

/// The largest error after `iterations` of the accelerated method.
Outcome iterate(Diagonal system, Chebyshev chebyshev, int iterations) {
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
  return {x.colwise().norm().maxCoeff(), chebyshev.distance_estimate(move), chebyshev.rho()};
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
      const Outcome result = iterate(Diagonal(rho, 1), Chebyshev(Acceleration::chebyshev, rho, 1), k);
      EXPECT_LE(result.error, std::sqrt(3) / std::cosh(k * std::acosh(1 / rho)) + 1e-15);
    }
  }
}

TEST(Chebyshev, MeasuresWhatItIsNotTold) {
  for (const double rho : {0.6, 0.9, 0.97, 0.995, 0.999}) {
    for (const double slow_begins : {1.0, 0.1}) {
      const int iterations = static_cast<int>(30 / std::sqrt(1 - rho * rho)) + 20;
      const Outcome told =
          iterate(Diagonal(rho, slow_begins), Chebyshev(Acceleration::chebyshev, rho, 8), iterations);
      const Outcome measured =
          iterate(Diagonal(rho, slow_begins), Chebyshev(Acceleration::chebyshev, {}, 8), iterations);
      // It may guess eight times too high of 1/(1−ρ), which costs √8 of the iterations, and some of them pass
      // before it knows.
      EXPECT_LT(measured.rho, std::max(0.95, 1 - (1 - rho) / 8)) << rho;
      EXPECT_GT(measured.rho, std::min(0.9992, 1 - 2 * (1 - rho))) << rho;
      EXPECT_LT(std::log10(measured.error), 0.25 * std::log10(told.error)) << rho;
      if (rho > 0.9) {
        EXPECT_LT(measured.error, 0.1 * slow_begins * std::pow(rho, iterations)) << "plain, " << rho;
      }
    }
  }
}

TEST(Chebyshev, KnowsItsWayToGo) {
  for (const Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev})
    for (const double rho : {0.6, 0.9, 0.97, 0.99}) {
      const int iterations = 400;
      const Outcome measured = iterate(Diagonal(rho, 1), Chebyshev(acceleration, {}, 8), iterations);
      if (measured.error == 0) continue;
      EXPECT_GT(measured.distance_estimate, 0.3 * measured.error) << name_of(acceleration) << " " << rho;
      const Outcome told = iterate(Diagonal(rho, 1), Chebyshev(acceleration, rho, 8), iterations);
      if (told.error == 0) continue;
      EXPECT_GT(told.distance_estimate, 0.3 * told.error) << name_of(acceleration) << " " << rho;
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
    a = r * r.transpose() / n + Eigen::MatrixXd::Identity(3 * n, 3 * n);
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
    for (int k = 0; k < 3 * n; ++k) {
      const Points g = f.gradient(x);
      memory.direction(g, twice, direction);
      if (direction.norm() < 1e-6) break;
      for (const Points& earlier : directions)
        EXPECT_NEAR(dot(earlier, f.gradient(direction)), 0, 1e-8 * earlier.norm() * direction.norm());
      directions.push_back(direction);
      const Points move = -dot(g, direction) / dot(direction, f.gradient(direction)) * direction;
      memory.add(x, x + move, g, f.gradient(x + move));
      x += move;
    }
    EXPECT_LT(x.norm(), 1e-6) << history;
  }
}

TEST(Lbfgs, MeetsTheSecantEquation) {
  const Quadratic f(3);
  Lbfgs memory(5);
  Points move, change, direction;
  for (int k = 0; k < 7; ++k) {
    move = Points::Random(3, 3);
    change = f.gradient(move);
    memory.add(Points::Zero(3, 3), move, Points::Zero(3, 3), change);
    memory.direction(change, twice, direction);  // −B⁻¹ y = −s
    EXPECT_LT((direction + move).norm(), 1e-10 * move.norm());
  }
}

TEST(Lbfgs, ForgetsWhatWouldNotDescend) {
  Lbfgs memory(5);
  const Points move = Points::Random(3, 3), gradient = Points::Random(3, 3);
  Points direction;
  const Points zero = Points::Zero(3, 3);
  memory.add(zero, move, zero, -move);
  EXPECT_TRUE(memory.empty());
  memory.direction(gradient, twice, direction);
  EXPECT_EQ(direction, -2 * gradient);
  memory.add(zero, move, zero, Points::Constant(3, 3, std::nan("")));
  EXPECT_TRUE(memory.empty());
  Lbfgs none(0);
  none.add(zero, move, zero, move);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace muslin

#include "muslin/energy/strain_limit.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "muslin/model/measure.h"
#include "muslin/simulation.h"
#include "property/elements.h"
#include "torture/judged_run.h"

// The barrier of strain limits by its formula, and cloth that it holds: hung up, pressed, loaded.

namespace muslin {
namespace {

// --- the barrier -----------------------------------------------------------------------------------

/// Of t, in units of c² (value), c (slope) and 1: the formula and its derivatives in their own words.
long double phi(long double t) { return -t * t * std::log1p(-t); }

TEST(StrainLimit, IsItsFormulaUpToItsContinuation) {
  EXPECT_TRUE(rc::check([] {
    const double b = scale_between(1e-6, 10), c = b / 2, t = between(1e-6, StrainLimit<double>::kContinued);
    const StrainLimit<double> limit{b};
    const double s = c * (1 + t);
    RC_ASSERT(limit.acts(s));
    const StrainLimit<double>::Barrier barrier = limit.barrier(s);
    const long double d = 1e-5L * std::min<long double>(t, 1 - t);
    const double value = static_cast<double>(phi(t));
    const double slope = static_cast<double>((phi(t + d) - phi(t - d)) / (2 * d));
    const double curvature = static_cast<double>((phi(t + d) - 2 * phi(t) + phi(t - d)) / (d * d));
    RC_ASSERT(std::abs(barrier.value / (c * c) - value) <= 1e-8 * value);
    RC_ASSERT(std::abs(barrier.slope / c - slope) <= 1e-7 * slope);
    RC_ASSERT(std::abs(barrier.curvature - curvature) <= 1e-5 * curvature);
  }));
}

TEST(StrainLimit, BeginsWithoutForceAndWithoutStiffness) {
  const StrainLimit<double> limit{0.05}, none;
  EXPECT_FALSE(limit.acts(-1));
  EXPECT_FALSE(limit.acts(0.025));
  EXPECT_FALSE(none.acts(1e300));
  const StrainLimit<double>::Barrier onset = limit.barrier(0.025 * (1 + 1e-6));
  EXPECT_GE(onset.value, 0);
  EXPECT_LT(onset.value, 1e-17 * 0.025 * 0.025);
  EXPECT_GE(onset.slope, 0);
  EXPECT_LT(onset.slope, 1e-11 * 0.025);
  EXPECT_GT(onset.curvature, 0);
  EXPECT_LT(onset.curvature, 1e-5);
}

// At t = 0.98: t²/(1−t) − 2t ln(1−t) = 55.68757, and the next derivative is 2604.824; from there a parabola.
TEST(StrainLimit, GoesOnAsTheParabolaThatFits) {
  for (const double b : {0.01, 0.05, 3.0}) {
    const StrainLimit<double> limit{b};
    const double c = b / 2, joint = 1.98 * c;
    const auto before = limit.barrier(joint - 1e-11 * c), after = limit.barrier(joint + 1e-11 * c);
    EXPECT_NEAR(before.value, after.value, 1e-8 * c * c);
    EXPECT_NEAR(before.slope, after.slope, 1e-6 * c);
    EXPECT_NEAR(before.curvature, after.curvature, 1e-4);
    EXPECT_NEAR(after.slope / c, 55.687565, 1e-5);
    EXPECT_NEAR(after.curvature, 2604.82405, 1e-4);
    EXPECT_NEAR(limit.barrier(b).slope / b, 53.892, 1e-3) << "what the comment promises";
    for (const double s : {2 * b, 10 * b}) {
      const double beyond = s - joint;
      EXPECT_NEAR(limit.barrier(s).slope, c * 55.687565 + 2604.82405 * beyond, 1e-5 * s);
      EXPECT_NEAR(limit.barrier(s).value,
                  c * c * 0.98 * 0.98 * std::log(50.0) + beyond * (c * 55.687565 + 2604.82405 / 2 * beyond),
                  1e-5 * s * s);
    }
  }
}

TEST(StrainLimit, IsConvexAndFiniteEverywhere) {
  EXPECT_TRUE(rc::check([] {
    const double b = scale_between(1e-100, 1e3);
    const StrainLimit<double> limit{b};
    const double s = b * scale_between(0.5 + 1e-6, 1e3), more = s * (1 + scale_between(1e-6, 1));
    const StrainLimit<double>::Barrier here = limit.barrier(s), there = limit.barrier(more);
    for (const double number : {there.value, there.slope, there.curvature}) RC_ASSERT(std::isfinite(number));
    RC_ASSERT(here.curvature > 0);
    RC_ASSERT(there.curvature >= here.curvature * (1 - 1e-12));
    RC_ASSERT(there.slope > here.slope);
    const double middle = limit.barrier((s + more) / 2).value;
    RC_ASSERT(middle <= (here.value + there.value) / 2 * (1 + 1e-12));
  }));
}

TEST(StrainLimit, IsInTheTermsOfAVertex) {
  EXPECT_TRUE(rc::check([] {
    auto made = element(BaraffWitkinEnergy());
    auto& shape = made.energy.edit().shapes[0];
    shape.limit.strain = scale_between(0.05, 2);
    shape.limiting = Eigen::Vector2d(between(1, 1e3), between(1, 1e3));
    const Local<3> gradient = made.energy[0].gradient(made.x);
    const LocalHessian<3> hessian = made.energy[0].hessian_psd(made.x);
    for (int k = 0; k < 3; ++k) {
      Vec3 force = Vec3::Zero();
      Mat3 block = Mat3::Zero();
      made.energy[0].add_vertex_terms(k, made.x, force, block);
      const Mat3 expected = hessian.block<3, 3>(3 * k, 3 * k);
      RC_ASSERT((force - gradient.col(k)).norm() <= 1e-12 * gradient.norm());
      RC_ASSERT((block - expected).norm() <= 1e-12 * hessian.norm());
    }
  }));
}

// --- cloth -----------------------------------------------------------------------------------------

/// The largest strain of warp and weft: edges along them, as a ruler measures them.
double thread_strain(const Model& model, const Points& x, int points, double size) {
  const double edge = size / (points - 1);
  double largest = 0;
  for (int j = 0; j < points; ++j)
    for (int i = 0; i < points; ++i) {
      const auto place = [&](int a, int b) -> Vec3 {
        return x.col(model.vertex_numbers.to_model(b * points + a));
      };
      if (i + 1 < points) largest = std::max(largest, (place(i + 1, j) - place(i, j)).norm() / edge - 1);
      if (j + 1 < points) largest = std::max(largest, (place(i, j + 1) - place(i, j)).norm() / edge - 1);
    }
  return largest;
}

struct Outcome {
  double strain = 0;  ///< largest of warp and weft in any frame
  int missed = 0, contacts = 0;
};

/// Runs a scene whose first cloth is a square grid, and judges every frame.
Outcome run(const Scene& scene, int frames) {
  torture::JudgedRun judged(scene);
  Outcome outcome;
  for (int frame = 1; frame <= frames; ++frame) {
    const auto [report, verdict] = judged.step();
    EXPECT_TRUE(verdict.clean() || !scene.self_collision.enabled) << frame;
    EXPECT_NE(report.step.status, Status::diverged) << frame;
    EXPECT_EQ(report.step.blocked, 0) << frame;
    const Grid& grid = *scene.cloths[0].grid;
    const double strain =
        thread_strain(judged.model(), judged.state().positions, grid.points[0], grid.size[0]);
    const double limit = scene.cloths[0].fabric.strain_limit.value_or(0);
    EXPECT_EQ(report.limit_ratio.has_value(), limit > 0);
    const double reported = report.limit_ratio.value_or(0) * limit;
    EXPECT_TRUE(limit == 0 || reported >= strain * (1 - 1e-9)) << reported << ", " << strain;
    outcome.strain = std::max({outcome.strain, strain, reported});
    outcome.missed += report.step.status != Status::ok;
    outcome.contacts = std::max(outcome.contacts, report.step.contacts);
  }
  return outcome;
}

constexpr double kLimit = 0.03;

/// Runs a scene without and with the limit on its first cloth.
void expect_held(Scene scene, int frames, double without_at_least) {
  // Steps that damp: the limit is a stiff spring, which sheets that are caught without loss pass by a per
  // cent
  scene.solver.quasi_newton.integrator = Integrator::euler;
  scene.solver.quasi_newton.substeps = 1;
  const Outcome without = run(scene, frames);
  scene.cloths[0].fabric.strain_limit = kLimit;
  const Outcome with = run(scene, frames);
  std::cout << "  largest strain " << 100 * without.strain << " % without the limit, " << 100 * with.strain
            << " % with " << 100 * kLimit << " %; " << without.missed << " and " << with.missed << " of "
            << frames << " frames not converged; contacts " << with.contacts << '\n';
  EXPECT_GT(without.strain, without_at_least);
  EXPECT_LT(with.strain, kLimit);
  EXPECT_GT(with.strain, kLimit / 2) << "the limit had nothing to do";
  EXPECT_EQ(with.missed, 0);
  EXPECT_EQ(with.contacts > 5, scene.self_collision.enabled);
}

Cloth sheet(int points, double size, const Vec3& origin) {
  Cloth cloth;
  cloth.grid = Grid{.points = {points, points}, .size = {size, size}, .origin = origin};
  cloth.grid->jitter = 1e-4;
  cloth.membrane = Membrane::baraff_witkin;
  cloth.fabric.warp = cloth.fabric.weft = 300;
  cloth.fabric.shear = 100;
  return cloth;
}
Pin at_corners(bool all) {
  Pin pin;
  pin.grid = {{0, 0}, {-1, 0}};
  if (all) pin.grid.insert(pin.grid.end(), {{0, -1}, {-1, -1}});
  return pin;
}

TEST(StrainLimit, HoldsAHeavySheetByTwoCorners) {
  Scene scene;
  scene.cloths = {sheet(17, 1, {0, 0, 0})};
  scene.cloths[0].fabric.density = 1.5;
  scene.cloths[0].pins = {at_corners(false)};
  expect_held(scene, 60, 3 * kLimit);
}

TEST(StrainLimit, HoldsASheetThatABallIsPressedInto) {
  Scene scene;
  scene.cloths = {sheet(17, 1, {-0.5, 0, -0.5})};
  scene.cloths[0].pins = {at_corners(true)};
  scene.self_collision = {.enabled = true, .distance = 0.005};
  Collider ball;
  ball.center = {0, 0.16, 0};
  ball.radius = 0.15;
  ball.motion.keyframes = {{0}, {1, {0, -0.2, 0}}};
  scene.colliders = {ball};
  expect_held(scene, 75, 2 * kLimit);
}

TEST(StrainLimit, HoldsASheetThatAHeavyOneDropsOn) {
  Scene scene;
  scene.cloths = {sheet(17, 1, {-0.5, 0, -0.5}), sheet(9, 0.4, {-0.2, 0.1, -0.2})};
  scene.cloths[0].pins = {at_corners(true)};
  scene.cloths[1].name = "load";
  scene.cloths[1].fabric.density = 2;
  scene.cloths[1].fabric.warp = scene.cloths[1].fabric.weft = 2e4;
  scene.cloths[1].fabric.shear = 7e3;
  scene.self_collision = {.enabled = true, .distance = 0.005};
  expect_held(scene, 60, 3 * kLimit);
}

}  // namespace
}  // namespace muslin

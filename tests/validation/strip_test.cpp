#include "validation/laboratory.h"

// Strips without bending, pulled by their own weight: stretched, swinging, and hung up by both ends.

namespace muslin {
namespace {

constexpr double kDensity = 0.15;  // [kg/m²]

// --- stretch ---------------------------------------------------------------------------------------

constexpr int kAlong = 17, kAcross = 4;  // vertices of the strip
constexpr double kLength = 1, kWidth = 0.1;

/// A strip that hangs from one end along the warp or the weft.
Cloth hanging_strip(Membrane membrane, bool along_warp) {
  Cloth strip = along_warp ? rectangle({kAlong, kAcross}, {kLength, kWidth}, {0, -1, 0}, {1, 0, 0})
                           : rectangle({kAcross, kAlong}, {kWidth, kLength}, {1, 0, 0}, {0, -1, 0});
  strip.membrane = membrane;
  strip.fabric.density = kDensity;
  strip.fabric.bend = 0;
  strip.fabric.warp = 20000;
  strip.fabric.weft = 12000;
  strip.fabric.shear = 3000;
  return strip;
}
int bottom_vertex(bool along_warp, int k) {
  return along_warp ? k * kAlong + kAlong - 1 : (kAlong - 1) * kAcross + k;
}

/// How far the lower end sinks [m], in the mean along it.
double sinking(const Points& x, bool along_warp) {
  double sum = 0;
  for (int k = 0; k < kAcross; ++k)
    sum += (k == 0 || k == kAcross - 1 ? 0.5 : 1) * (-kLength - x(1, bottom_vertex(along_warp, k)));
  return sum / (kAcross - 1);
}

double expected_sinking(const Fabric& fabric, bool along_warp) {
  return *fabric.density * kG * kLength * kLength / (2 * (along_warp ? *fabric.warp : *fabric.weft));
}

TEST(OwnWeight, StretchesAGuidedStripOfAnyMembrane) {
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin, Membrane::stvk})
    for (const bool along_warp : {true, false}) {
      Cloth strip = hanging_strip(membrane, along_warp);
      strip.pins = {pin_sides({along_warp ? Side::u_min : Side::v_min}),
                    pin_vertices(every_vertex(kAlong * kAcross), "xz")};
      if (membrane == Membrane::stvk) strip.fabric.poisson = 0.3;  // has no say, as the width is held
      const Points x = at_rest(scene_of(strip, tight_newton()));
      const std::string name = std::string(name_of(membrane)) + (along_warp ? ", warp" : ", weft");
      const double expected = expected_sinking(strip.fabric, along_warp);
      tell(name, sinking(x, along_warp), expected);
      EXPECT_NEAR(sinking(x, along_warp) / expected, 1, 1e-3) << name;
    }
}

/// Strain at which a thread of stiffness k with the limit b has a tension [N/m]: k s, and from b/2 on that of
/// the barrier, which is a parabola's from 99 % of the limit on.
double limited_strain(double tension, double k, double b) {
  const auto tension_at = [&](double s) {
    const double t = 2 * s / b - 1;
    if (t <= 0) return k * s;
    if (t >= 0.98) return k * s + k * b / 2 * (55.68756509 + 2604.82404601 * (t - 0.98));
    return k * s + k * b / 2 * (t * t / (1 - t) - 2 * t * std::log(1 - t));
  };
  double low = 0, high = tension / k;
  for (int halvings = 0; halvings < 100; ++halvings)
    (tension_at((low + high) / 2) < tension ? low : high) = (low + high) / 2;
  return low;
}

/// Half of what would carry the strip past its limit of 3 %, and twice as much.
TEST(OwnWeight, StretchesAGuidedStripAsFarAsItsStrainLimitLets) {
  for (const bool along_warp : {true, false})
    for (const double load : {0.5, 2.0}) {
      constexpr double kLimit = 0.03, kHolds = 53.892 + 1;  // of k b, with the thread's own tension
      Cloth strip = hanging_strip(Membrane::baraff_witkin, along_warp);
      const double k = along_warp ? *strip.fabric.warp : *strip.fabric.weft;
      strip.fabric.strain_limit = kLimit;
      strip.grid->diagonals = Diagonals::forward;  // equal weights in a row, and so equal tensions
      strip.fabric.density = load * kHolds * kLimit * k / (kG * kLength);
      strip.pins = {pin_sides({along_warp ? Side::u_min : Side::v_min}),
                    pin_vertices(every_vertex(kAlong * kAcross), "xz")};
      const Points x = at_rest(scene_of(strip, tight_newton()));
      // A row of cells carries all vertices below it.
      double expected = 0;
      for (int row = 0; row < kAlong - 1; ++row)
        expected += kLength / (kAlong - 1) *
                    limited_strain(load * kHolds * kLimit * k * (row + 0.5) / (kAlong - 1), k, kLimit);
      const std::string name = std::string("limited, ") + (along_warp ? "warp" : "weft");
      tell(name, sinking(x, along_warp), expected);
      EXPECT_NEAR(sinking(x, along_warp) / expected, 1, 1e-3) << name;
      const double highest = -x(1, along_warp ? 1 : kAcross) * (kAlong - 1) / kLength - 1;
      EXPECT_EQ(highest > kLimit, load > 1) << highest;
    }
}

/// Free sides: the tension is along the strip alone, and the width shrinks by Poisson's ratio times the
/// strain.
TEST(OwnWeight, StretchesAndNarrowsAFreeStripAsPoissonsRatioSays) {
  for (const bool along_warp : {true, false}) {
    Cloth strip = hanging_strip(Membrane::stvk, along_warp);
    constexpr double kYoung = 20000, kPoisson = 0.3;  // E times the thickness [N/m]
    strip.fabric.warp = strip.fabric.weft = kYoung / (1 - kPoisson * kPoisson);
    strip.fabric.shear = kYoung / (2 * (1 + kPoisson));
    strip.fabric.poisson = kPoisson;
    strip.pins = {pin_sides({along_warp ? Side::u_min : Side::v_min}, "y"), pin_vertices({0}, "xz"),
                  pin_vertices(every_vertex(kAlong * kAcross), "z")};
    const Points x = at_rest(scene_of(strip, tight_newton()));
    const std::string name = along_warp ? "stvk, free, warp" : "stvk, free, weft";
    const double expected = kDensity * kG * kLength * kLength / (2 * kYoung);
    tell(name, sinking(x, along_warp), expected);
    EXPECT_NEAR(sinking(x, along_warp) / expected, 1, 1e-3) << name;
    // In the middle row hangs half of the weight.
    const int row = kAlong / 2;
    const int left = along_warp ? row : row * kAcross;
    const int right = along_warp ? (kAcross - 1) * kAlong + row : row * kAcross + kAcross - 1;
    const double narrowing = 1 - (x(0, right) - x(0, left)) / kWidth;
    const double strain = kDensity * kG * kLength / 2 / kYoung;
    tell(name + ", narrowing", narrowing, kPoisson * strain);
    EXPECT_NEAR(narrowing / (kPoisson * strain), 1, 0.02) << name;
  }
}

// --- swing -----------------------------------------------------------------------------------------

/// Period of the lowest mode of a flexible strip that hangs from one edge [s], from two passages through the
/// vertical.
double swing_period(Membrane membrane, double length, double step) {
  constexpr double kFirstZeroOfJ0 = 2.404825557695773, kAmplitude = 1e-3;
  constexpr int kPoints = 41;
  Cloth strip = rectangle({kPoints, 2}, {length, length / 40}, {0, -1, 0}, {0, 0, 1});
  strip.membrane = membrane;
  strip.fabric.density = kDensity;
  strip.fabric.bend = 0;
  strip.fabric.warp = strip.fabric.weft = 1e5 * kDensity * kG * length;  // a strain of 1e-5 at the top
  strip.fabric.shear = membrane == Membrane::springs ? 0 : *strip.fabric.warp / 10;
  strip.pins = {pin_sides({Side::u_min})};
  Scene scene = scene_of(strip, tight_newton(LinearSolver::cholesky, 1e-10));
  scene.solver.newton.integrator = Integrator::bdf2;
  scene.frame_time = step;
  Simulation simulation(scene);
  State state = simulation.state();
  for (int v = 0; v < state.positions.cols(); ++v) {  // the mode, J₀(j √(height above the tip / L))
    const double height = std::max(0.0, 1 + state.positions(1, v) / length);
    state.positions(0, v) = kAmplitude * length * std::cyl_bessel_j(0, kFirstZeroOfJ0 * std::sqrt(height));
  }
  simulation.restore(state, 0);
  std::vector<double> passages;
  double before = state.positions(0, kPoints - 1);
  while (passages.size() < 2 && simulation.frame() < 2000) {
    simulation.step();
    const double now = simulation.state().positions(0, kPoints - 1);
    if (before * now < 0) passages.push_back(simulation.state().time - step * now / (now - before));
    before = now;
  }
  return passages.size() == 2 ? 2 * (passages[1] - passages[0]) : 0;
}

TEST(HangingStrip, SwingsWithThePeriodOfAFlexiblePendulum) {
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin, Membrane::stvk}) {
    const double length = 0.7, theory = 5.225481 * std::sqrt(length / kG);
    const double measured = swing_period(membrane, length, theory / 200);
    tell(std::string(name_of(membrane)), measured, theory);
    EXPECT_NEAR(measured / theory, 1, 0.002) << name_of(membrane);
  }
}

// --- catenary --------------------------------------------------------------------------------------

TEST(Catenary, SagsAndPullsAsTheFormulaSays) {
  constexpr int kPoints = 61;
  constexpr double kSpan = 1, kRope = 1.5, kSag = 0.502633, kPull = 0.20549;
  for (const Membrane membrane : {Membrane::springs, Membrane::baraff_witkin, Membrane::stvk}) {
    Cloth strip = rectangle({kPoints, 2}, {kRope, kRope / (kPoints - 1)}, {1, 0, 0}, {0, 0, 1});
    strip.membrane = membrane;
    strip.fabric.density = kDensity;
    strip.fabric.bend = 0;
    strip.fabric.warp = strip.fabric.weft = 1e4 * kDensity * kG * kRope;
    strip.fabric.shear = membrane == Membrane::springs ? 0 : *strip.fabric.warp / 10;
    strip.pins = {pin_sides({Side::u_min}), pin_sides({Side::u_max})};
    strip.pins[1].motion.keyframes = {{0, {kSpan - kRope, 0, 0}, Vec3::Zero()}};
    const Scene scene = scene_of(strip, tight_newton(LinearSolver::cholesky, 1e-8));
    const Simulation simulation(scene);
    Points x = simulation.state().positions;  // hung up in a V
    const double depth = std::sqrt(kRope * kRope - kSpan * kSpan) / 2;
    for (int v = 0; v < x.cols(); ++v) {
      const double fraction = (v % kPoints) / double(kPoints - 1);
      x(0, v) = fraction * kSpan;
      x(1, v) = -2 * depth * std::min(fraction, 1 - fraction);
    }
    x = at_rest(scene, x);
    const double sag = -x.row(1).minCoeff();
    Points force = Points::Zero(3, x.cols());
    Scratch scratch;
    add_elastic_gradient(simulation.model().energies, x, scratch, force);
    const double weight = kDensity * kRope * kRope / (kPoints - 1) * kG;
    const double pull = std::abs(force(0, 0) + force(0, kPoints)) / weight;
    tell(std::string(name_of(membrane)) + ", sag", sag, kSag);
    tell(std::string(name_of(membrane)) + ", pull", pull, kPull);
    EXPECT_NEAR(sag / kSag, 1, 0.005) << name_of(membrane);
    EXPECT_NEAR(pull / kPull, 1, 0.005) << name_of(membrane);
  }
}

}  // namespace
}  // namespace muslin

#include "muslin/contact/pairs/friction.h"
#include "muslin/energy/energies.h"
#include "muslin/model/fabrics.h"
#include "validation/laboratory.h"

// Friction of the contact that lets nothing through, against Coulomb and Euler.

namespace muslin {
namespace {

/// A small stiff sheet that lies on a plane tilted by atan 0.5, and starts at rest.
Scene sheet_on_slope(double friction) {
  const Vec3 up = Vec3(0.5, 1, 0).normalized(), down = Vec3(1, -0.5, 0).normalized();
  Cloth cloth = rectangle({6, 6}, {0.1, 0.1}, down, Vec3::UnitZ());
  cloth.fabric.thickness = 0.002;
  cloth.fabric.warp = cloth.fabric.weft = cloth.fabric.shear = 1e4;
  cloth.grid->origin = 0.00098 * up;  // near enough that the weight is carried at once
  Scene scene = scene_of(cloth, SolverSettings());
  scene.solver.quasi_newton.tolerance = 1e-8;
  Collider plane;
  plane.shape = Shape::plane;
  plane.axis = up;
  plane.friction = friction;
  scene.colliders = {plane};
  return scene;
}

/// How far the sheet has come down the slope [m].
double way_down(const Simulation& simulation) {
  const Points& x = simulation.state().positions;
  return (x - simulation.model().start).rowwise().mean().dot(Vec3(1, -0.5, 0).normalized());
}

// At the very coefficient of the slope, what slides goes on as fast as it is.
TEST(ContactFriction, HoldsOnASlopeJustBelowItsCoefficient) {
  Simulation simulation(sheet_on_slope(0.51));
  for (int frame = 0; frame < 30; ++frame)
    simulation.step();  // until the weight is carried, and it has stopped
  const double before = way_down(simulation);
  for (int frame = 0; frame < 60; ++frame) simulation.step();
  EXPECT_NEAR(way_down(simulation), before, 5e-5);  // less than 0.05 mm in a second
}

TEST(ContactFriction, SlidesAsCoulombSaysBelowIt) {
  const double expected = kG * (0.5 - 0.49) / std::sqrt(1.25);  // g (sin − μ cos)
  EXPECT_NEAR(expected, 0.08774, 1e-5);
  // The usual tolerance, 0.1 mm, is four times what that adds to a step.
  for (const double tolerance : {1e-8, 1e-4}) {
    Scene scene = sheet_on_slope(0.49);
    scene.solver.quasi_newton.tolerance = tolerance;
    Simulation simulation(scene);
    const auto speed = [&] {
      return simulation.state().velocities.rowwise().mean().dot(Vec3(1, -0.5, 0).normalized());
    };
    for (int frame = 0; frame < 60 && speed() < 2 * LaggedFriction::kSpeed; ++frame) simulation.step();
    const double before = speed();
    EXPECT_GE(before, 2 * LaggedFriction::kSpeed) << "beyond creeping";
    for (int frame = 0; frame < 60; ++frame) simulation.step();
    EXPECT_NEAR(speed() - before, expected, 0.02 * expected) << tolerance;
  }
}

// A sheet falls flat on a plane while it flies along it. The impact takes μ v_y of its speed, the way after
// it μ g t, whatever the steps are and into however many parts they are cut.
TEST(ContactFriction, TakesFromAnImpactWhatCoulombSays) {
  constexpr double kHeight = 0.2, kSpeed = 2, kFriction = 0.3, kTime = 0.4;
  const double fall = std::sqrt(2 * kHeight / kG);
  const double expected = kSpeed - kFriction * kG * fall - kFriction * kG * (kTime - fall);
  EXPECT_NEAR(expected, 0.823, 1e-3);
  for (const double step : {1.0 / 60, 0.01, 0.005, 0.0025}) {
    Cloth cloth = rectangle({9, 9}, {0.2, 0.2}, Vec3::UnitX(), Vec3::UnitZ());
    cloth.fabric = find_fabric("cotton")->fabric;
    cloth.grid->origin = {0, kHeight, 0};
    cloth.velocity = {kSpeed, 0, 0};
    Scene scene = scene_of(cloth, SolverSettings());
    scene.frame_time = step;
    Collider plane;
    plane.shape = Shape::plane;
    plane.friction = kFriction;
    scene.colliders = {plane};
    Simulation simulation(scene);
    while (simulation.state().time < kTime - step / 2) simulation.step();
    EXPECT_NEAR(simulation.state().velocities.row(0).mean(), expected, 0.04 * expected) << step;
  }
}

/// Sheets of light silk, 0.4 by 0.4 m, as the preset has them, side by side on a plane tilted by an angle,
/// with a speed down the slope [m/s].
Scene sheets_on_slope(int count, double angle, double friction, double speed) {
  const Vec3 up(std::sin(angle), std::cos(angle), 0), down(std::cos(angle), -std::sin(angle), 0);
  Scene scene;
  for (int c = 0; c < count; ++c) {
    Cloth cloth = rectangle({21, 21}, {0.4, 0.4}, down, Vec3::UnitZ());
    cloth.fabric = find_fabric("silk_plate")->fabric;
    cloth.grid->origin = 0.001 * up + 0.6 * c * Vec3::UnitZ();
    cloth.velocity = speed * down;
    cloth.name = c == 0 ? "left" : "right";
    if (c == 0)
      scene = scene_of(cloth, SolverSettings());
    else
      scene.cloths.push_back(cloth);
  }
  Collider plane;
  plane.shape = Shape::plane;
  plane.axis = up;
  plane.friction = friction;
  scene.colliders = {plane};
  return scene;
}

// What is small in the balance of a step is all that friction leaves: steps that are cut, and others than the
// first piece, must not lose it.
TEST(ContactFriction, LightSheetsSlideAsCoulombSays) {
  const double angle = 20 * M_PI / 180, mu = 0.25;
  const double expected = kG * (std::sin(angle) - mu * std::cos(angle));
  Simulation simulation(sheets_on_slope(2, angle, mu, 0));
  double speed[2][2];  // at the beginning and the end, of either
  int shortened = 0;
  for (int frame = 1; frame <= 50; ++frame) {
    shortened += simulation.step().step.shortened;
    for (const int c : {0, 1})
      if (frame == 20 || frame == 50)
        speed[frame == 50][c] = simulation.state()
                                    .velocities.middleCols(441 * c, 441)
                                    .rowwise()
                                    .mean()
                                    .dot(Vec3(std::cos(angle), -std::sin(angle), 0));
  }
  EXPECT_GT(shortened, 0) << "steps are cut";
  for (const int c : {0, 1}) EXPECT_NEAR(speed[1][c] - speed[0][c], expected / 2, 0.02 * expected / 2) << c;
}

TEST(ContactFriction, AThrownSheetStopsWhereItsEnergyIsSpent) {
  const double speed = 1, mu = 0.4, expected = speed * speed / (2 * mu * kG);
  Simulation simulation(sheets_on_slope(1, 0, mu, speed));
  for (int frame = 0; frame < 30; ++frame) simulation.step();
  const Points way = simulation.state().positions - simulation.model().start;
  EXPECT_NEAR(way.row(0).mean(), expected, 0.02 * expected);
}

constexpr double kRadius = 0.1, kStraight = 0.15, kWidth = 0.02;

/// A strip that is hung over a cylinder: straight, half a turn, straight.
Mesh strip_over_cylinder(int along, int across, double radius) {
  Mesh mesh;
  mesh.positions.resize(3, (along + 1) * (across + 1));
  const double whole = 2 * kStraight + M_PI * radius;
  for (int i = 0; i <= along; ++i)
    for (int j = 0; j <= across; ++j) {
      const double s = whole * i / along, z = kWidth * j / across;
      const double turned = std::clamp((s - kStraight) / radius, 0.0, M_PI);
      const double below = std::max(0.0, kStraight - s) + std::max(0.0, s - kStraight - M_PI * radius);
      mesh.positions.col(i * (across + 1) + j) << -radius * std::cos(turned),
          radius * std::sin(turned) - below, z - kWidth / 2;
    }
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j) {
      const int a = i * (across + 1) + j, b = a + 1, c = a + across + 1, d = c + 1;
      mesh.triangles.push_back({a, c, d});
      mesh.triangles.push_back({a, d, b});
    }
  return mesh;
}

// A strip slides over a cylinder, both ends moved alike: the tensions at the ends are as e^{μ π} [Euler
// 1775].
TEST(ContactFriction, CapstanHoldsByTheExponentialOfTheAngle) {
  constexpr double kMu = 0.3, kSpeed = 0.1;
  constexpr int kAlong = 120, kAcross = 2;
  Cloth strip;
  strip.mesh = MeshFile();
  strip.mesh->file = "strip.obj";
  strip.mesh->mesh = std::make_shared<const Mesh>(strip_over_cylinder(kAlong, kAcross, kRadius + 0.003));
  strip.fabric.warp = strip.fabric.weft = 1000;
  strip.fabric.shear = 300;
  strip.fabric.bend = 1e-8;
  strip.fabric.thickness = 0.002;
  strip.membrane = Membrane::baraff_witkin;
  for (const int side : {0, 1}) {
    Pin pin;
    for (int j = 0; j <= kAcross; ++j) pin.vertices.push_back((side == 0 ? 0 : kAlong * (kAcross + 1)) + j);
    const double tight = -0.01, slides = side == 0 ? kSpeed : -kSpeed;  // both down, then along the strip
    pin.motion.keyframes = {{0}, {0.2, {0, tight, 0}}, {0.8, {0, tight + 0.6 * slides, 0}}};
    strip.pins.push_back(pin);
  }
  Scene scene = scene_of(strip, SolverSettings());
  scene.gravity.setZero();
  scene.damping = 2;
  scene.solver.quasi_newton.tolerance = 1e-6;
  Collider cylinder;
  cylinder.shape = Shape::cylinder;
  cylinder.axis = Vec3::UnitZ();
  cylinder.radius = kRadius;
  cylinder.length = 0.1;
  cylinder.friction = kMu;
  scene.colliders = {cylinder};

  Simulation simulation(scene);
  double ratio = 0;
  int samples = 0;
  for (int frame = 1; frame <= 48; ++frame) {
    simulation.step();
    if (frame < 33) continue;  // slides everywhere by now
    Scratch scratch;
    Points force = Points::Zero(3, simulation.model().vertex_count());
    add_elastic_gradient(simulation.model().energies, simulation.state().positions, scratch, force);
    double tension[2] = {0, 0};
    for (size_t p = 0; p < simulation.controls().pins.size(); ++p)
      tension[p / (kAcross + 1)] += std::abs(force(1, simulation.controls().pins[p].vertex));
    ratio += tension[1] / tension[0];
    ++samples;
  }
  EXPECT_NEAR(ratio / samples, std::exp(kMu * M_PI), 0.03 * std::exp(kMu * M_PI));
}

}  // namespace
}  // namespace muslin

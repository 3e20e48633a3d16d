#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "muslin/geometry/shapes.h"
#include "muslin/model/measure.h"
#include "muslin/simulation.h"
#include "property/draw.h"

// Every path of xpbd on whatever scene: no energy from nothing, and no explosion. MUSLIN_ENERGY_STEPS and
// MUSLIN_RANDOM_CLOTHS say how much of it.

namespace muslin {
namespace {

int wanted(const char* variable, int otherwise) {
  const char* number = std::getenv(variable);
  return number ? std::atoi(number) : otherwise;
}

Pin corners() {
  Pin pin;
  pin.grid = {{0, 0}, {-1, 0}};
  return pin;
}

Scene sheet(const std::string& fabric, const std::array<int, 2>& points, double spacing) {
  Scene scene;
  scene.solver.family = "position";
  scene.solver.position.path = PositionPath::lines;
  Cloth cloth;
  cloth.grid = Grid();
  cloth.grid->points = points;
  cloth.grid->size = {spacing * (points[0] - 1), spacing * (points[1] - 1)};
  cloth.fabric.preset = fabric;
  scene.cloths = {cloth};
  return scene;
}

Scene hanging(const std::string& fabric, int substeps, bool coarse,
              Integrator integrator = Integrator::euler) {
  Scene scene = sheet(fabric, {25, 21}, 0.02);
  scene.cloths[0].pins = {corners()};
  scene.solver.position.substeps = substeps;
  scene.solver.position.coarse = coarse;
  scene.solver.position.integrator = integrator;
  return scene;
}

// Irregular triangles, by colours.
Scene hanging_mesh(const std::string& fabric, Membrane membrane) {
  constexpr int kPoints = 17;
  IrregularSheet irregular;
  irregular.points = kPoints;
  irregular.size = 0.4;
  Scene scene = sheet(fabric, {2, 2}, 0.1);
  Cloth& cloth = scene.cloths[0];
  cloth.grid.reset();
  cloth.mesh.emplace();
  cloth.mesh->mesh = std::make_shared<const Mesh>(make_irregular_sheet(irregular));
  cloth.membrane = membrane;
  Pin pin;
  pin.vertices = {0, kPoints - 1};
  cloth.pins = {pin};
  scene.solver.position.path = PositionPath::colours;
  scene.solver.position.substeps = 10;
  return scene;
}

// Falls on a ball, with friction.
Scene draped(const std::string& fabric) {
  Scene scene = sheet(fabric, {21, 21}, 0.02);
  scene.cloths[0].grid->origin = {-0.2, 0.3, -0.2};
  Collider ball;
  ball.shape = Shape::sphere;
  ball.radius = 0.15;
  ball.friction = 0.3;
  scene.colliders = {ball};
  scene.solver.position.substeps = 8;
  return scene;
}

// What moves and what is lifted. Velocities are those that positions had, not what the solver says of them.
double energy(const Model& model, const State& before, const State& after) {
  const Points velocity = (after.positions - before.positions) / (after.time - before.time);
  return kinetic_energy(model, velocity) + potential_energy(model, model.script.gravity, after.positions);
}

// Without work from outside what steps lose does not come back. From one step to the next cloth gives and
// takes what its threads hold, and conditions are met one family after another, so that no single step of
// xpbd is strictly dissipative; the mean over a second, about a swing, is to fall from each to the next, and
// nothing is ever above where it began.
TEST(PositionPaths, EnergyDoesNotRise) {
  const int steps = wanted("MUSLIN_ENERGY_STEPS", 4000);
  const std::pair<const char*, Scene> scenes[] = {
      {"cotton, lines", hanging("cotton", 8, false)},
      {"silk, lines", hanging("silk", 16, false)},
      {"denim, nets and tethers", hanging("denim", 12, true)},
      {"cotton, bdf2", hanging("cotton", 8, false, Integrator::bdf2)},
      {"cotton, springs of a mesh", hanging_mesh("cotton", Membrane::springs)},
      {"wool, triangles", hanging_mesh("wool", Membrane::baraff_witkin)},
      {"cotton on a ball", draped("cotton")}};
  for (const auto& [name, scene] : scenes) {
    Simulation simulation(scene);
    const Model& model = simulation.model();
    const double start = potential_energy(model, model.script.gravity, model.start);
    const double little = 1e-5 * model.mass.sum() * scene.gravity.norm() * 0.4;  // lifted by its size
    const int second = 60 * simulation.substeps();
    double sum = 0, mean = start, highest = start;
    int taken = 0;
    simulation.watch_steps([&, name = name](const State& before, const Input&, const State& after) {
      const double now = energy(model, before, after);
      highest = std::max(highest, now);
      sum += now / second;
      if (++taken % second > 0) return;
      EXPECT_LT(sum, mean + little) << name << ", second " << taken / second;
      mean = std::exchange(sum, 0);
    });
    while (taken < steps) {
      const FrameReport frame = simulation.step();
      ASSERT_EQ(frame.failure, Failure::none) << name;
      ASSERT_EQ(frame.step.path, scene.solver.position.path) << name;
    }
    EXPECT_LT(highest, start + little) << name;
  }
}

// A random cloth: grid or mesh, fabric, substeps, path, pins that swing.
Scene random_cloth(Draw& draw) {
  const char* fabrics[] = {"cotton", "silk", "denim", "wool", "plain"};
  const auto below = [&](int count) { return static_cast<int>(count * draw.unit()); };
  const std::string fabric = fabrics[below(5)];
  Scene scene = sheet(fabric, {2 + below(30), 2 + below(30)}, draw.between(0.01, 0.04));
  Grid& grid = *scene.cloths[0].grid;
  grid.jitter = 0.2 * grid.size[0] / (grid.points[0] - 1) * draw.unit();
  scene.seed = draw.id;
  Pin pin;
  for (int k = below(4); k > 0; --k) pin.grid.push_back({below(grid.points[0]), below(grid.points[1])});
  pin.motion.swing = Vec3(0.2 * draw.unit(), 0.2 * draw.unit(), 0);
  if (!pin.grid.empty()) scene.cloths[0].pins = {pin};
  PositionSettings& position = scene.solver.position;
  position.substeps = 1 + below(12);
  position.coarse = draw.unit() < 0.5;
  position.path = PositionPath{below(3)};
  if (draw.unit() < 0.3) position.integrator = Integrator::bdf2;
  return scene;
}

// What moves has its energy from weight, and from pins, which give less than the 12.5 J/kg of 5 m/s within a
// second. (Single vertices may whip: one substep a frame stretches silk that hangs by one vertex to ten times
// its length.)
TEST(PositionPaths, RandomClothDoesNotExplode) {
  const int cases = wanted("MUSLIN_RANDOM_CLOTHS", 100);
  constexpr int kFrames = 60;
  for (int id = 0; id < cases; ++id) {
    Draw draw{41, static_cast<std::uint64_t>(id)};
    const Scene scene = random_cloth(draw);
    Simulation simulation(scene);
    const Model& model = simulation.model();
    for (int f = 1; f <= kFrames; ++f) {
      const FrameReport frame = simulation.step();
      const std::string what = "case " + std::to_string(id) + ", frame " + std::to_string(f);
      ASSERT_EQ(frame.failure, Failure::none) << what;
      ASSERT_EQ(frame.step.path, scene.solver.position.path) << what;
      const double fallen = potential_energy(model, scene.gravity, model.start) - frame.potential_energy;
      ASSERT_LT(frame.kinetic_energy, fallen + 12.5 * model.mass.sum()) << what;
    }
  }
}

}  // namespace
}  // namespace muslin

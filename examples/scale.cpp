// A scale: cloth hangs from two pins, and what they hold together is its weight.
#include <muslin/muslin.h>

#include <cstdio>

int main() {
  muslin::Cloth cloth;
  cloth.grid = muslin::Grid{.points = {21, 21}, .size = {0.4, 0.3}};
  cloth.fabric.preset = "denim";
  muslin::Pin left, right;
  left.vertices = {0};
  right.vertices = {20};
  cloth.pins = {left, right};

  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.damping = 5;  // [1/s], so that it soon hangs still
  scene.solver.family = "newton";
  scene.solver.newton.tolerance = 1e-8;

  muslin::Simulation simulation(scene);
  muslin::RestWatch rest(1e-4);  // [m/s]
  do simulation.step();
  while (!rest.look(simulation.state().time, simulation.velocities()) && simulation.frame() < 1200);
  muslin::Vec3 sum = muslin::Vec3::Zero();
  for (const muslin::PinReaction& pin : simulation.loads().pins) {
    std::printf("pin  %8.5f %8.5f %8.5f N\n", pin.reaction.x(), pin.reaction.y(), pin.reaction.z());
    sum += pin.reaction;
  }
  std::printf("weight %.6f N, that is %.4f g\n", sum.y(), 1e3 * sum.y() / 9.81);
}

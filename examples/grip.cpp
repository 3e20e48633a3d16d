// A grip: a gripper takes a strip by its end and lifts it from a table. It holds what hangs; the table bears
// the rest, until all is in the air.
#include <muslin/muslin.h>

#include <cstdio>

int main() {
  muslin::Cloth cloth;
  cloth.grid = muslin::Grid{.points = {33, 5}, .size = {0.4, 0.05}, .origin = {0, 0.002, 0}};
  cloth.fabric.preset = "cotton";
  cloth.membrane = muslin::Membrane::baraff_witkin;
  muslin::Pin gripper;
  gripper.sides = {muslin::Side::u_max};
  gripper.motion.keyframes = {{0, {0, 0, 0}, {0, 0, 0}}, {4, {-0.05, 0.8, 0}, {0, 0, 0}}};  // [s], [m]
  cloth.pins = {gripper};
  muslin::Collider table;
  table.shape = muslin::Shape::plane;

  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.colliders = {table};
  scene.damping = 5;  // [1/s]
  scene.solver.family = "newton";

  muslin::Simulation simulation(scene);
  while (simulation.state().time < 5) {
    simulation.step();
    if (simulation.frame() % 30 != 0) continue;
    const muslin::Reactions loads = simulation.loads();
    const muslin::ColliderLoad& on_table = loads.colliders[0];
    std::printf("t %.1f s  height %.3f m  gripper %.4f N  table %.4f N\n", simulation.state().time,
                simulation.positions().row(1).maxCoeff(), loads.pins[0].reaction.y(),
                -(on_table.normal + on_table.friction).y());
  }
}

// A scene without a file: structs in SI units, y up. Here a strip hangs from its upper side and stretches
// under its own weight. In the middle hangs half of it, so the whole lengthens by g ρ L² / 2k.
#include <muslin/muslin.h>

#include <cstdio>
#include <stdexcept>

muslin::Scene hanging_strip() {
  muslin::Grid grid;
  grid.points = {21, 5};   // vertices along u and along v
  grid.size = {1.0, 0.2};  // [m]
  grid.u = {0, -1, 0};     // the warp hangs down, from u = 0 at the origin
  grid.v = {1, 0, 0};

  muslin::Cloth cloth;
  cloth.grid = grid;
  cloth.fabric.preset = "cotton";  // every number that is not written here is cotton's
  cloth.fabric.density = 0.15;     // [kg/m²]
  cloth.fabric.warp = 100;         // [N/m], soft enough to see
  cloth.membrane = muslin::Membrane::baraff_witkin;
  muslin::Pin upper_side;
  upper_side.sides = {muslin::Side::u_min};
  cloth.pins = {upper_side};

  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.damping = 10;  // [1/s], so that it soon hangs still
  return scene;
}

int main() {
  try {
    muslin::Simulation simulation(hanging_strip());  // throws what is wrong with the scene
    while (simulation.frame() < 120) {
      const muslin::FrameReport report = simulation.step();
      if (report.step.status == muslin::Status::diverged)
        throw std::runtime_error(
            describe(report.failure));  // numerical trouble is no exception, but a status
    }
    const muslin::Fabric& fabric = simulation.scene().cloths[0].fabric;  // with all of its numbers given
    const double length = simulation.scene().cloths[0].grid->size[0];
    const double stretched = -simulation.positions().row(1).minCoeff() - length;
    const double expected = 9.81 * *fabric.density * length * length / (2 * *fabric.warp);
    std::printf("stretched %.4f mm\n", 1e3 * stretched);
    std::printf("expected  %.4f mm\n", 1e3 * expected);
    return 0;
  } catch (
      const std::exception& error) {  // muslin::Error names the place, what was expected and what it found
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

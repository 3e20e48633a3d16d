// What a user of the library does, compiled with other flags than the library: objects that own memory are
// made on one side, and copied, moved, resized and freed on the other.
#include <cstdio>
#include <utility>

#include "muslin/muslin.h"

namespace {

bool runs_here() {
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512f");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2");
#else
  return true;
#endif
}

muslin::Scene handkerchief() {
  muslin::Scene scene;
  muslin::Cloth& cloth = scene.cloths.emplace_back();
  cloth.grid = muslin::Grid{.points = {5, 5}};
  cloth.fabric.preset = "silk";
  cloth.membrane = muslin::Membrane::baraff_witkin;
  return scene;
}

// Where the cloth is after three frames, by way of copies that this file makes.
double fallen(muslin::Simulation simulation) {
  for (int frame = 0; frame < 3; ++frame) simulation.step();
  muslin::State state = simulation.state();
  muslin::Points positions = simulation.positions();
  positions.conservativeResize(3, positions.cols() + 100);
  state.positions = positions;
  state.velocities = 2 * simulation.velocities();
  const muslin::Points gram =
      positions.leftCols(25) * (positions.leftCols(25).transpose() * positions.leftCols(25));
  return gram.allFinite() ? positions.leftCols(25).row(1).mean() : 1;
}

}  // namespace

int main() {
  if (!runs_here()) {
    std::puts("skipped: this processor lacks the instructions");
    return 0;
  }
  muslin::Simulation simulation(handkerchief());
  simulation.step();
  muslin::Scene windy = simulation.scene();
  windy.wind.air_density = 1.2;
  simulation.edit(windy);
  muslin::Simulation moved = std::move(simulation);
  moved.reset();
  moved.start_from(moved.model().start);
  std::printf("hash %016llx after a frame\n", static_cast<unsigned long long>(moved.step().hash));

  const double y = fallen(muslin::Simulation(handkerchief()));
  std::printf("muslin %s: %d vertices fell to %.4f m\n", muslin::version().data(),
              moved.model().vertex_count(), y);
  return y < -0.005 && y > -0.02 ? 0 : 1;  // g t² / 2 = 0.0123 m after three frames of 1/60 s
}

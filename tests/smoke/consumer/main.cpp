#include <cstdio>

#include "muslin/muslin.h"

int main() {
  muslin::Scene scene;
  scene.cloths.emplace_back().grid = muslin::Grid{.points = {5, 5}};
  muslin::Simulation simulation(scene);
  for (int frame = 0; frame < 3; ++frame) simulation.step();
  const double y = simulation.report().center_of_mass.y();
  std::printf("muslin %s: %d vertices fell to %.4f m\n", muslin::version().data(),
              simulation.model().vertex_count(), y);
  return y < -0.005 && y > -0.02 ? 0 : 1;  // g t² / 2 = 0.0123 m after three frames of 1/60 s
}

// A mesh and a force of your own. A disc of cloth, made here, is drawn to the plane z = 0 by a force on every
// vertex that grows with the distance, f = −m ω² z, as a mass on a spring is. So it swings as z₀ cos ω t.
#include <muslin/muslin.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

constexpr int kRings = 6, kSpokes = 24;
constexpr double kRadius = 0.2, kHeight = 0.1;   // [m]
constexpr double kMass = 1e-4;                   // [kg] a vertex
constexpr double kOmega = 2 * std::numbers::pi;  // [1/s]: a period of 1 s
constexpr int kFramesASecond = 240;

muslin::Mesh disc() {
  muslin::Mesh mesh;
  mesh.positions.resize(3, 1 + kRings * kSpokes);  // [m], a column a vertex: the centre, then ring by ring
  mesh.positions.col(0) << 0, 0, kHeight;
  const auto at = [](int ring, int spoke) { return 1 + (ring - 1) * kSpokes + spoke % kSpokes; };
  for (int ring = 1; ring <= kRings; ++ring)
    for (int spoke = 0; spoke < kSpokes; ++spoke) {
      const double radius = kRadius * ring / kRings, angle = 2 * std::numbers::pi * spoke / kSpokes;
      mesh.positions.col(at(ring, spoke)) << radius * std::cos(angle), radius * std::sin(angle), kHeight;
      if (ring == 1) {
        mesh.triangles.push_back({0, at(1, spoke), at(1, spoke + 1)});  // counter-clockwise from the front
      } else {
        mesh.triangles.push_back({at(ring - 1, spoke), at(ring, spoke), at(ring, spoke + 1)});
        mesh.triangles.push_back({at(ring - 1, spoke), at(ring, spoke + 1), at(ring - 1, spoke + 1)});
      }
    }
  return mesh;
}

int main() {
  muslin::Cloth cloth;
  cloth.mesh.emplace();
  cloth.mesh->mesh = std::make_shared<const muslin::Mesh>(disc());  // nothing is read: the mesh is here
  cloth.vertex_mass = kMass;                                        // in place of the fabric's density
  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.gravity.setZero();
  scene.frame_time = 1.0 / kFramesASecond;

  muslin::Simulation simulation(scene);
  while (simulation.frame() < kFramesASecond) {
    muslin::Points force = simulation.positions();  // both have a column a vertex, numbered as the mesh is
    force.topRows(2).setZero();
    force.row(2) *= -kMass * kOmega * kOmega;  // [N]
    simulation.push(force);                    // acts until the next push
    simulation.step();
    if (simulation.frame() % (kFramesASecond / 4) == 0)
      std::printf("t %.2f s  z %+.5f m\n", simulation.state().time, simulation.positions().row(2).mean());
  }
}

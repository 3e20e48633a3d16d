// An energy of your own. A sheet hangs from another that is held, each vertex by a cord to the one above it.
// Its force grows with the cube of its length, f = k l³, E = k l⁴/4, as no fabric's does. At rest k l³ = m g.
#include <muslin/muslin.h>

#include <cmath>
#include <cstdio>
#include <memory>

constexpr int kSide = 5;             // vertices along an edge of a sheet
constexpr double kMass = 1e-3;       // [kg] a vertex
constexpr double kStiffness = 1.25;  // k [N/m³]
constexpr double kStart = 0.1;       // [m] between the sheets

struct CubicCord final : muslin::CustomEnergy {
  static muslin::Vec3 along(const muslin::ElementColumns& x) { return x.col(1) - x.col(0); }

  double value(int, const muslin::ElementColumns& x) const override {
    return kStiffness / 4 * std::pow(along(x).squaredNorm(), 2);
  }
  muslin::ElementColumns gradient(int, const muslin::ElementColumns& x) const override {
    const muslin::Vec3 force = kStiffness * along(x).squaredNorm() * along(x);
    muslin::ElementColumns g(3, 2);
    g << -force, force;
    return g;
  }
  muslin::ElementHessian hessian(int, const muslin::ElementColumns& x) const override {
    const muslin::Vec3 d = along(x);
    const muslin::Mat3 block =
        kStiffness * (d.squaredNorm() * muslin::Mat3::Identity() + 2 * d * d.transpose());
    muslin::ElementHessian h(6, 6);
    h << block, -block, -block, block;
    return h;
  }
  bool is_square() const override { return true; }  // E ≥ 0, so that position-based methods can run it, too
};

int main() {
  muslin::Scene scene;
  for (const double height : {0.0, -kStart}) {
    muslin::Cloth& sheet = scene.cloths.emplace_back();
    sheet.name = height < 0 ? "lower" : "upper";
    sheet.grid = {.points = {kSide, kSide}, .size = {0.2, 0.2}};
    sheet.grid->origin.y() = height;
    sheet.vertex_mass = kMass;
  }
  muslin::CustomElements& cords = scene.energies.emplace_back();
  cords.energy = std::make_shared<CubicCord>();
  for (int v = 0; v < kSide * kSide; ++v) {
    scene.cloths[0].pins.emplace_back().vertices = {v};
    cords.stencils.push_back({v, kSide * kSide + v});  // vertices of all cloths, one after another
  }
  scene.damping = 5;  // [1/s]
  std::printf("expected  %.5f m\n", std::cbrt(kMass * 9.81 / kStiffness));
  for (const char* family : {"explicit", "position", "newton", "block_descent", "quasi_newton"}) {
    scene.solver.family = family;
    muslin::Simulation simulation(scene);
    while (simulation.frame() < 180) simulation.step();
    std::printf("%-13s %.5f m\n", family, -simulation.positions().rightCols(kSide * kSide).row(1).mean());
  }
}

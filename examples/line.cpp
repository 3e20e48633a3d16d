// A line: a band hangs between two posts as a clothes-line. Its sag tells the tension; so do its posts, and
// the band itself. A uniform line is a catenary: H = w a, where its length is 2 a sinh(d / 2a).
#include <muslin/muslin.h>

#include <cmath>
#include <cstdio>

int main() {
  const double length = 1, apart = 0.9, width = 0.01;  // [m]
  muslin::Cloth cloth;
  cloth.grid = muslin::Grid{.points = {101, 2}, .size = {length, width}, .origin = {0, 0, 0}};
  cloth.fabric.preset = "denim";
  cloth.fabric.warp = 1e5;                                 // [N/m], so that it hardly stretches
  cloth.fabric.bend = cloth.fabric.bend_weft = 1e-9;  // [N m]: a line has none
  cloth.membrane = muslin::Membrane::baraff_witkin;
  muslin::Pin left, right;
  left.sides = {muslin::Side::u_min};
  right.sides = {muslin::Side::u_max};
  right.motion.keyframes = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {apart - length, 0, 0}, {0, 0, 0}}};
  cloth.pins = {left, right};

  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.damping = 5;  // [1/s]
  scene.solver.family = "newton";
  scene.solver.newton.tolerance = 1e-8;

  muslin::Simulation simulation(scene);
  muslin::RestWatch rest(1e-4);  // [m/s]
  do simulation.step();
  while ((!rest.look(simulation.state().time, simulation.velocities()) || simulation.state().time < 3) &&
         simulation.frame() < 1800);
  const muslin::Vec3 post = simulation.loads().pins[0].reaction;
  const muslin::Scalars tension = simulation.tension();
  const double weight = simulation.model().mass.sum() * 9.81;  // [N]
  double a = apart;  // [m], by Newton's method on the length of a catenary
  for (int k = 0; k < 50; ++k)
    a -= (2 * a * std::sinh(apart / (2 * a)) - length) /
         (2 * std::sinh(apart / (2 * a)) - apart / a * std::cosh(apart / (2 * a)));
  std::printf("post      %.5f N along, %.5f N up\n", -post.x(), post.y());
  std::printf("middle    %.5f N\n", tension[static_cast<int>(tension.size()) / 2] * width);
  std::printf("catenary  %.5f N along, %.5f N up\n", weight / length * a, weight / 2);
  std::printf("sag       %.4f m, catenary %.4f m\n", -simulation.positions().row(1).minCoeff(),
              a * (std::cosh(apart / (2 * a)) - 1));
}

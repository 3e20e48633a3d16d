// What contact did. A sheet falls on a ball that lies on a floor. Every frame has a report; distances of
// single vertices are asked of the colliders. The library tells no force of a single contact. What all
// contacts together exert follows from the momentum: M dv/dt = M g + F, as nothing else acts here (no pins,
// wind or damping).
#include <muslin/muslin.h>

#include <algorithm>
#include <cstdio>

muslin::Scene sheet_over_ball() {
  muslin::Cloth cloth;
  cloth.grid = muslin::Grid{.points = {25, 25}, .size = {0.3, 0.3}, .origin = {-0.15, 0.12, -0.15}};
  cloth.fabric.preset = "cotton";
  cloth.fabric.density = 0.1;  // [kg/m²]
  muslin::Collider floor, ball;
  floor.shape = muslin::Shape::plane;  // through the origin, its normal is y
  ball.radius = 0.05;                  // [m]
  ball.center = {0, 0.05, 0};
  muslin::Scene scene;
  scene.cloths = {cloth};
  scene.colliders = {floor, ball};
  return scene;
}

/// From the nearest vertex to the surface of any collider [m]; below 0 it would be inside.
double nearest(const muslin::Simulation& simulation) {
  const muslin::Points places = simulation.positions();
  double least = muslin::kInfinity;
  for (const muslin::Collider& collider : simulation.scene().colliders)
    for (int v = 0; v < places.cols(); ++v)
      least =
          std::min(least, -depth_inside(collider, pose_at(collider, simulation.state().time), places.col(v)));
  return least;
}

int main() {
  muslin::Simulation simulation(sheet_over_ball());
  const muslin::Scalars mass = simulation.model().mass;  // [kg], in the order of state()
  const auto momentum = [&] { return (simulation.state().velocities * mass).eval(); };
  double vertical = 0;  // [N s]
  while (simulation.frame() < 120) {
    const muslin::Vec3 before = momentum();
    const muslin::FrameReport report = simulation.step();
    const double time = simulation.scene().frame_time;
    const muslin::Vec3 force = (momentum() - before) / time - mass.sum() * simulation.scene().gravity;
    vertical += force.y() * time;
    if (report.frame % 20 != 0) continue;
    const muslin::StepReport& step = report.step;
    std::printf("frame %3d", report.frame);
    std::printf("  contacts %4d", step.contacts);   // vertices or pairs that touch at its end
    std::printf("  min_gap %.6f m", step.min_gap);  // beyond half the thickness; below 0: pressed in
    std::printf("  nearest %.6f m", nearest(simulation));
    std::printf("  blocked %.6f m", step.blocked);  // colliders fall short by that: cloth is in the way
    std::printf("  force %.4f N\n", force.y());
  }
  std::printf("mean force %.4f N\n", vertical / simulation.state().time);
  std::printf("weight     %.4f N\n", mass.sum() * 9.81);
}

#include "torture/large_colliders.h"

#include <algorithm>
#include <cmath>

#include "muslin/audit/start.h"
#include "muslin/audit/verdict.h"
#include "muslin/contact/vertices/gap.h"
#include "muslin/core/check.h"
#include "muslin/simulation.h"

namespace muslin::torture {

Scene on_large(const LargeCollider& what, const std::string& family) {
  constexpr double kSize = 0.5, kGravity = 9.81, kSoon = 0.1;
  const double tilt = what.tilt * std::acos(-1.0) / 180, r = what.radius;
  Scene scene;
  scene.gravity = kGravity * Vec3(std::sin(tilt), -std::cos(tilt), 0);
  scene.solver.family = family;
  Cloth cloth;
  cloth.grid = Grid{.points = {6, 6}, .size = {kSize, kSize}, .origin = {-kSize / 2, what.gap, -kSize / 2}};
  if (what.fast) cloth.velocity = -std::max(1.0, what.gap / kSoon) * Vec3::UnitY();
  scene.cloths = {cloth};
  Collider body;
  body.name = "body";
  body.shape = what.shape;
  body.friction = 0.3;
  body.center = what.shape == Shape::plane ? Vec3(-r, 0, 0) : Vec3(0, -r, 0);
  body.radius = r;
  body.length = 2 * r;
  body.size = Vec3::Constant(2 * r);
  if (what.shape == Shape::capsule || what.shape == Shape::cylinder) body.axis = Vec3::UnitX();
  scene.colliders = {body};
  return scene;
}

Held run_and_judge(const Scene& scene, int frames) {
  Held result;
  result.least = result.nearest = kInfinity;
  Simulation simulation(scene);
  const Model& model = simulation.model();
  try {
    check_start(model, simulation.state().positions, keeps_out(scene.solver));
  } catch (const Error& error) {
    result.how = Held::refused;
    result.why = error.what();
    return result;
  }
  const Judge judge(model, 0);
  for (int frame = 1; frame <= frames; ++frame) {
    const FrameReport report = simulation.step();
    const State& state = simulation.state();
    result.iterations += double(report.step.iterations) / frames;
    result.unconverged += report.step.status != Status::ok;
    result.contacts = std::max(result.contacts, report.step.contacts);
    result.nearest = std::min(result.nearest, report.step.least_distance);
    const Pose pose = pose_at(model.colliders[0], state.time);
    for (int v = 0; v < model.vertex_count(); ++v)
      result.least =
          std::min(result.least, surface_of(model.colliders[0], pose, state.positions.col(v)).distance);
    if (!(result.least > 0) || !judge.judge({state.time, state.positions}).clean()) result.how = Held::fell;
  }
  return result;
}

}  // namespace muslin::torture

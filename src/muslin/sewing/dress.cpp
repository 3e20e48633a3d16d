#include "muslin/sewing/dress.h"

namespace muslin {

bool is_dressing(const Scene& scene, double time) {
  constexpr double kRounding = 1e-9;  // of the time
  return scene.dress && time < (scene.dress->sew + scene.dress->grow) * (1 - kRounding);
}

Scene while_dressing(Scene scene) {
  if (!scene.dress) return scene;
  const Dress dress = *scene.dress;
  scene.gravity = Vec3::Zero();
  scene.wind = {};
  scene.damping = dress.damping;
  // How cloth gets there matters to nobody: long steps of first order
  QuasiNewtonSettings& stepping = scene.solver.quasi_newton;
  stepping.integrator = Integrator::euler;
  stepping.adaptive = false;
  stepping.accuracy.reset();
  stepping.substeps = 1;
  scene.self_collision.friction = dress.friction;
  for (Collider& collider : scene.colliders)
    if (collider.name == dress.body) collider.friction = dress.friction;
  return scene;
}

}  // namespace muslin

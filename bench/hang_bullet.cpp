// Bullet's soft body (position-based, Gauss–Seidel in single precision) on muslin's mesh.
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "hang.h"

namespace bench {

namespace {

// A Bullet world with one sheet in it. Bullet wants its parts alive for as long as the world is.
class BulletSheet {
 public:
  BulletSheet(const muslin::Scene& scene, int substeps, int iterations)
      : model_(muslin::build_model(scene)),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        frame_time_(scene.frame_time),
        substeps_(substeps),
        iterations_(iterations) {
    const btVector3 gravity = to_bullet(model_.script.gravity);
    world_.setGravity(gravity);
    world_.getWorldInfo().m_gravity = gravity;
    world_.getWorldInfo().air_density = 0;
    std::vector<btVector3> places;
    std::vector<btScalar> masses;
    for (int v = 0; v < model_.vertex_count(); ++v) {
      places.push_back(to_bullet(model_.start.col(v)));
      masses.push_back(static_cast<btScalar>(model_.mass[v]));
    }
    // The world takes the body and deletes it.
    body_ = new btSoftBody(&world_.getWorldInfo(), model_.vertex_count(), places.data(), masses.data());
    for (const auto& [a, b] : model_.edges) body_->appendLink(a, b);
    for (const auto& [a, b, c] : model_.triangles) body_->appendFace(a, b, c);
    for (const muslin::PinnedVertex& pin : model_.script.pins) body_->setMass(pin.vertex, 0);
    body_->m_materials[0]->m_kLST = 1;
    body_->m_cfg.piterations = iterations;
    body_->m_cfg.collisions = 0;
    body_->setActivationState(DISABLE_DEACTIVATION);
    world_.addSoftBody(body_);
  }
  BulletSheet(const BulletSheet&) = delete;
  BulletSheet& operator=(const BulletSheet&) = delete;
  ~BulletSheet() {
    world_.removeSoftBody(body_);
    delete body_;
  }

  Frame step() {
    const auto start = std::chrono::steady_clock::now();
    for (int s = 0; s < substeps_; ++s)
      world_.stepSimulation(static_cast<btScalar>(frame_time_ / substeps_), /*maxSubSteps=*/0);
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    // Bullet does not tell its phases apart: the whole step counts as solving.
    return {ms.count(), ms.count(), static_cast<double>(body_->m_links.size()) * iterations_ * substeps_,
            false};
  }

  muslin::Points positions() const {
    muslin::Points x(3, body_->m_nodes.size());
    for (int v = 0; v < body_->m_nodes.size(); ++v) {
      const btVector3& p = body_->m_nodes[v].m_x;
      x.col(v) = muslin::Vec3(p.x(), p.y(), p.z());
    }
    return x;
  }

 private:
  static btVector3 to_bullet(const muslin::Vec3& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
  }

  muslin::Model model_;
  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btSoftRigidDynamicsWorld world_;
  btSoftBody* body_ = nullptr;
  double frame_time_;
  int substeps_, iterations_;
};

}  // namespace

std::vector<MakeContender> bullet_contenders() {
  std::vector<MakeContender> all;
  struct Setting {
    int substeps, iterations;
  };
  for (const Setting setting : {Setting{1, 20}, {1, 80}, {8, 10}, {1, 240}, {24, 10}, {48, 10}})
    all.push_back([setting](const muslin::Scene& scene) {
      const auto sheet = std::make_shared<BulletSheet>(scene, setting.substeps, setting.iterations);
      return Contender{"bullet soft body",
                       fmt::format("{} substeps x {} iterations", setting.substeps, setting.iterations),
                       [sheet] { return sheet->step(); }, [sheet] { return sheet->positions(); }};
    });
  return all;
}

}  // namespace bench

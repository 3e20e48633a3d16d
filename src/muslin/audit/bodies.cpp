#include "muslin/audit/bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/model/motion.h"

namespace muslin {

namespace {

/// In the collider's own frame: centre at the origin, axis along y. Inside a convex solid the nearest way out
/// is the least over its faces.
double local_depth(const Collider& collider, const Vec3& p) {
  switch (collider.shape) {
    case Shape::sphere:
      return collider.radius - p.norm();
    case Shape::plane:
      return -p.y();
    case Shape::box:
      return (collider.size / 2 - p.cwiseAbs()).minCoeff();
    case Shape::capsule: {
      const double half = collider.length / 2;
      return collider.radius - (p - Vec3(0, std::clamp(p.y(), -half, half), 0)).norm();
    }
    case Shape::cylinder:
      return std::min(collider.radius - std::hypot(p.x(), p.z()), collider.length / 2 - std::abs(p.y()));
  }
  return -std::numeric_limits<double>::infinity();
}

bool has_inside(const Collider& collider) {
  return collider.shape != Shape::plane || collider.friction_law != FrictionLaw::cs184;
}

double depth_at(const Collider& collider, const Pose& pose, const Vec3& point) {
  return local_depth(collider, pose.rotation.transpose() * (point - pose.translation));
}

}  // namespace

double depth_inside(const Collider& collider, double time, const Vec3& point) {
  if (!has_inside(collider)) return -std::numeric_limits<double>::infinity();
  return depth_at(collider, pose_at(collider, time), point);
}

std::vector<InsideVertex> vertices_inside(const std::vector<Collider>& colliders, double time,
                                          const Points& positions) {
  std::vector<InsideVertex> inside;
  for (int c = 0; c < static_cast<int>(colliders.size()); ++c) {
    if (!colliders[c].enabled || !has_inside(colliders[c])) continue;
    const Pose pose = pose_at(colliders[c], time);
    for (int v = 0; v < positions.cols(); ++v)
      if (const double depth = depth_at(colliders[c], pose, positions.col(v)); depth > kSurfaceRounding)
        inside.push_back({v, c, depth});
  }
  return inside;
}

}  // namespace muslin

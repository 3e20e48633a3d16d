#include "muslin/model/fastening.h"

#include <Eigen/Geometry>
#include <optional>

#include "muslin/geometry/distance.h"

namespace muslin {

namespace {

// Axes that turn with a triangle: along its first side, across it, and its normal.
Mat3 frame_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 along = (b - a).stableNormalized(), normal = (b - a).cross(c - a).stableNormalized();
  Mat3 frame;
  frame << along, normal.cross(along), normal;
  return frame;
}

Vec3 in_collider(const Fastening& fastening, const Points& shape) {
  if (!fastening.has_face()) return fastening.local;
  const auto& [i, j, k] = fastening.face;
  const Vec3 a = shape.col(i), b = shape.col(j), c = shape.col(k);
  const Vec3& w = fastening.weights;
  return w[0] * a + w[1] * b + w[2] * c + frame_of(a, b, c) * fastening.local;
}

/// Where colliders carry what is fastened to them; shapes of those that deform are made when they are asked
/// for.
class Carriers {
 public:
  Carriers(const Model& model, const std::vector<Pose>& poses, double time)
      : model_(model), poses_(poses), time_(time), shapes_(model.colliders.size()) {}

  Vec3 place_of(const Fastening& fastening) {
    std::optional<Points>& shape = shapes_[fastening.collider];
    if (fastening.has_face() && !shape) shape = shape_at(model_.colliders[fastening.collider], time_);
    const Pose& pose = poses_[fastening.collider];
    return pose.rotation * in_collider(fastening, shape ? *shape : Points()) + pose.translation;
  }

 private:
  const Model& model_;
  const std::vector<Pose>& poses_;
  double time_;
  std::vector<std::optional<Points>> shapes_;
};

Quad with_triangle(const Vec3& place, const Points& shape, const Stencil<3>& triangle) {
  Quad x;
  x << place, shape.col(triangle[0]), shape.col(triangle[1]), shape.col(triangle[2]);
  return x;
}

}  // namespace

Fastener::Fastener(const Collider& collider, int number, const Pose& pose, double time)
    : collider_(collider), number_(number), pose_(pose) {
  if (collider.shape != Shape::mesh) return;
  shape_ = shape_at(collider, time);
  std::vector<Box> boxes;
  for (const Stencil<3>& triangle : collider.mesh->mesh->triangles) {
    Box box = Box::nothing();
    for (const int v : triangle) box.include(shape_.col(v));
    boxes.push_back(box);
  }
  tree_ = std::make_unique<const BoxTree>(boxes);
}

Vec3 Fastener::in_its_frame(const Vec3& place) const {
  return pose_.rotation.transpose() * (place - pose_.translation);
}

// Of triangles that are as near the first; those without area have no frame.
Fastener::Nearest Fastener::nearest(const Vec3& local) const {
  const std::vector<Stencil<3>>& triangles = collider_.mesh->mesh->triangles;
  Nearest nearest;
  tree_->visit_leaves_within(kInfinity, local, [&](int leaf) {
    const int last = std::min<int>(4 * leaf + 4, static_cast<int>(tree_->order().size()));
    for (int k = 4 * leaf; k < last; ++k) {
      const int t = tree_->order()[k];
      const Quad x = with_triangle(local, shape_, triangles[t]);
      if (!(triangle_area(x.col(1), x.col(2), x.col(3)) > 0)) continue;
      const Closest closest = closest_points(PairKind::point_triangle, x);
      if (std::pair(closest.distance, t) < std::pair(nearest.distance, nearest.triangle))
        nearest = {t, closest.distance, -closest.weight.tail<3>()};
    }
    return nearest.distance;
  });
  return nearest;
}

double Fastener::distance(const Vec3& place) const { return nearest(in_its_frame(place)).distance; }

Fastening Fastener::fasten(const Vec3& place) const {
  const Vec3 local = in_its_frame(place);
  const Fastening by_pose{number_, {-1, -1, -1}, Vec3::Zero(), local};
  if (!collider_.frames) return by_pose;
  const Nearest nearest = this->nearest(local);
  if (nearest.triangle < 0) return by_pose;
  const Stencil<3>& face = collider_.mesh->mesh->triangles[nearest.triangle];
  const Vec3 a = shape_.col(face[0]), b = shape_.col(face[1]), c = shape_.col(face[2]);
  const Vec3& w = nearest.weights;
  const Vec3 offset = local - (w[0] * a + w[1] * b + w[2] * c);
  return {number_, face, w, frame_of(a, b, c).transpose() * offset};
}

Points places_of(const Model& model, const Controls& controls, const std::vector<PinnedVertex>& pins,
                 const std::vector<Pose>& poses, double time) {
  Points places(3, static_cast<Eigen::Index>(pins.size()));
  Carriers carriers(model, poses, time);
  for (size_t p = 0; p < pins.size(); ++p) {
    const PinMotion& by = controls.pin_motions[pins[p].motion];
    places.col(p) = pins[p].fastening < 0 ? place_at(by.motion, by.center, pins[p].place, time)
                                          : carriers.place_of(controls.fastenings[pins[p].fastening]);
  }
  return places;
}

Points places_of(const Model& model, const std::vector<Fastening>& fastenings, const std::vector<Pose>& poses,
                 double time) {
  Points places(3, static_cast<Eigen::Index>(fastenings.size()));
  Carriers carriers(model, poses, time);
  for (size_t k = 0; k < fastenings.size(); ++k) places.col(k) = carriers.place_of(fastenings[k]);
  return places;
}

Vec3 place_at_start(const Motion& motion, const Vec3& center, const Vec3& place, double time) {
  const Vec3 origin = place_at(motion, center, Vec3::Zero(), time);
  Mat3 turn;
  for (int axis = 0; axis < 3; ++axis)
    turn.col(axis) = place_at(motion, center, Vec3::Unit(axis), time) - origin;
  return turn.transpose() * (place - origin);
}

bool moves(const Model& model, const Controls& controls, const PinnedVertex& pin) {
  if (pin.fastening < 0) return moves(controls.pin_motions[pin.motion].motion);
  return moves(model.colliders[controls.fastenings[pin.fastening].collider]);
}

}  // namespace muslin

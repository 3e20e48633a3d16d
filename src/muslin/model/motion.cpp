#include "muslin/model/motion.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "muslin/core/maths.h"

namespace muslin {

namespace {
double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// The keyframe at a time: straight between two of them, the first before, the last after.
Keyframe interpolate(const std::vector<Keyframe>& keys, double time) {
  if (keys.empty()) return {};
  if (time <= keys.front().time) return keys.front();
  for (size_t k = 1; k < keys.size(); ++k) {
    const Keyframe &a = keys[k - 1], &b = keys[k];
    if (time > b.time) continue;
    const double s = (time - a.time) / (b.time - a.time);
    return {time, a.offset + s * (b.offset - a.offset), a.rotation + s * (b.rotation - a.rotation)};
  }
  return keys.back();
}

// The shortest turn that takes y to an axis, by half angles; half a turn about z to −y. It has the bits of
// Eigen's FromTwoVectors but near −y, where that loses digits and then takes a singular value decomposition.
Mat3 turn_from_y(const Vec3& axis) {
  constexpr double kNearlyDown = -0.99;  // below it, 1 + cosine loses digits that the sine has
  const Vec3 to = axis.normalized(), normal = Vec3::UnitY().cross(to);
  const double cosine = to.y(), sine = normal.norm();
  double w;  // cosine of half the angle
  Vec3 v;    // its sine, along the axis of the turn
  if (cosine < kNearlyDown) {
    const double half_sine = std::sqrt((1 - cosine) / 2);
    w = sine / (2 * half_sine);
    v = half_sine * (sine == 0 ? Vec3(Vec3::UnitZ()) : Vec3(normal / sine));
  } else {
    const double twice = std::sqrt((1 + cosine) * 2);
    w = twice * 0.5;
    v = normal * (1 / twice);
  }
  return Eigen::Quaterniond(w, v.x(), v.y(), v.z()).toRotationMatrix();
}
}  // namespace

Mat3 rotation_xyz(const Vec3& degrees) {
  const auto about = [&](int axis) {
    const double half = radians(degrees[axis]) / 2;
    const Vec3 direction = maths::sin(half) * Vec3::Unit(axis);
    return Eigen::Quaterniond(maths::cos(half), direction.x(), direction.y(), direction.z());
  };
  return (about(2) * about(1) * about(0)).toRotationMatrix();
}

bool moves(const Motion& motion) { return !motion.keyframes.empty() || !motion.swing.isZero(0); }

bool moves(const Collider& collider) { return moves(collider.motion) || collider.frames.has_value(); }

Vec3 offset_at(const Motion& motion, double time) {
  const double angle = 2 * std::numbers::pi * time / motion.period + radians(motion.phase);
  return interpolate(motion.keyframes, time).offset + maths::sin(angle) * motion.swing;
}

Vec3 place_at(const Motion& motion, const Vec3& center, const Vec3& place, double time) {
  const Vec3 turn = interpolate(motion.keyframes, time).rotation, offset = offset_at(motion, time);
  if (turn.isZero(0)) return place + offset;
  return center + rotation_xyz(turn) * (place - center) + offset;
}

Pose pose_at(const Collider& collider, double time, const Vec3& offset) {
  const Mat3 upright = turn_from_y(collider.axis);
  const Mat3 moved = rotation_xyz(interpolate(collider.motion.keyframes, time).rotation);
  return {moved * rotation_xyz(collider.rotation) * upright,
          collider.center + offset + offset_at(collider.motion, time)};
}

std::vector<Pose> poses_at(const std::vector<Collider>& colliders, double time,
                           const std::vector<Vec3>& offsets) {
  std::vector<Pose> poses;
  for (size_t c = 0; c < colliders.size(); ++c)
    poses.push_back(pose_at(colliders[c], time, c < offsets.size() ? offsets[c] : Vec3(Vec3::Zero())));
  return poses;
}

Points placed(const MeshFile& file, const Points& points) {
  return (file.scale * rotation_xyz(file.rotation) * points).colwise() + file.translation;
}

Points shape_at(const Collider& collider, double time) {
  const MeshFile& file = *collider.mesh;
  if (!collider.frames) return placed(file, file.mesh->positions);
  const std::vector<Points>& shapes = *collider.frames->shapes;
  const int last = static_cast<int>(shapes.size()) - 1;
  const double frame =
      std::clamp((time - collider.frames->start) / collider.frames->interval, 0.0, double(last));
  const int before = static_cast<int>(frame), after = std::min(before + 1, last);
  const double fraction = frame - before;
  return placed(file, (1 - fraction) * shapes[before] + fraction * shapes[after]);
}

PlacedColliders placed_at(const std::vector<Collider>& colliders, double time,
                          const std::vector<Vec3>& offsets) {
  PlacedColliders placed{poses_at(colliders, time, offsets), {}};
  for (const Collider& collider : colliders)
    placed.shapes.push_back(collider.shape == Shape::mesh ? shape_at(collider, time) : Points(3, 0));
  return placed;
}

}  // namespace muslin

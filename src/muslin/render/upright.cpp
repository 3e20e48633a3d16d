#include "muslin/render/upright.h"

#include <cmath>

namespace muslin {

Mat3 upright(const Vec3& gravity) {
  Eigen::Index axis = 1;
  if (gravity.cwiseAbs().maxCoeff(&axis) == 0) return Mat3::Identity();
  const double side = gravity[axis] < 0 ? 1 : -1;  // of the axis that is up
  Mat3 rotation = Mat3::Identity();                // its rows are right, up and front
  if (axis == 0) rotation << 0, -side, 0, side, 0, 0, 0, 0, 1;
  if (axis == 1) rotation.diagonal() << 1, side, side;
  if (axis == 2) rotation << 1, 0, 0, 0, 0, side, 0, -side, 0;
  return rotation;
}

void turn(const Mat3& rotation, Stage& stage) {
  if (rotation == Mat3::Identity()) return;
  stage.positions = (rotation * stage.positions).eval();
  for (PosedCollider& posed : stage.colliders) {
    posed.pose.rotation = rotation * posed.pose.rotation;
    posed.pose.translation = rotation * posed.pose.translation;
  }
}

Camera turned(const Mat3& rotation, const Camera& camera) {
  Camera seen = camera;
  seen.eye = rotation * camera.eye;
  seen.target = rotation * camera.target;
  return seen;
}

}  // namespace muslin

#include "muslin/render/projection.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

using Mat4 = Eigen::Matrix4d;

/// World to the eye's axes: x right, y up, z back.
Mat4 look_at(const Vec3& eye, const Vec3& back, const Vec3& up) {
  const Vec3 z = back.normalized();
  Vec3 x = up.cross(z);
  x = x.norm() > 1e-9 ? x.normalized() : z.unitOrthogonal();
  Mat4 view = Mat4::Identity();
  view.block<1, 3>(0, 0) = x.transpose();
  view.block<1, 3>(1, 0) = z.cross(x).transpose();
  view.block<1, 3>(2, 0) = z.transpose();
  view.block<3, 1>(0, 3) = -view.block<3, 3>(0, 0) * eye;
  return view;
}

}  // namespace

Ball ball_around(const Extent& box) {
  if (box.isEmpty()) return {};
  return {box.center(), std::max(box.diagonal().norm() / 2, 1e-6)};
}

Mat4 camera_clip(const View& view, const Ball& stage) {
  const Camera& camera = view.camera;
  const double reach = kWallRadius * stage.radius + (camera.eye - stage.center).norm();
  const double near = std::max((camera.eye - stage.center).norm() - 2 * stage.radius, reach / 2000);
  const double scale = 1 / std::tan(camera.field_of_view * M_PI / 360);
  Mat4 projection = Mat4::Zero();
  projection(0, 0) = scale * view.height / view.width;
  projection(1, 1) = scale;
  projection(2, 2) = -(reach + near) / (reach - near);
  projection(2, 3) = -2 * reach * near / (reach - near);
  projection(3, 2) = -1;
  return projection * look_at(camera.eye, camera.eye - camera.target, camera.up);
}

Mat3 light_axes(const Vec3& direction, const Ball& stage) {
  return look_at(stage.center, direction, Vec3::UnitY()).topLeftCorner<3, 3>() / (1.02 * stage.radius);
}

Mat4 light_clip(const Vec3& direction, const Ball& stage) {
  Mat4 clip = Mat4::Identity();
  clip.topLeftCorner<3, 3>() = light_axes(direction, stage);
  clip.row(2) *= -1;  // depth grows away from the light
  clip.topRightCorner<3, 1>() = -clip.topLeftCorner<3, 3>() * stage.center;
  return clip;
}

}  // namespace muslin

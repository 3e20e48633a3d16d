#include "camera_control.h"

#include <algorithm>
#include <cmath>

using namespace muslin;

void CameraControl::frame(const Outline& outline, double aspect) {
  camera_ = frame_all(outline, aspect);
  zoomed_ = false;
  depth_ = 0;
}

void CameraControl::orbit(double x, double y) {
  constexpr double kMostElevation = M_PI / 2 - 0.01;
  const Vec3 back = camera_.eye - camera_.target;
  const double distance = back.norm();
  const double azimuth = std::atan2(back.x(), back.z()) - M_PI * x;
  const double elevation =
      std::clamp(std::asin(back.y() / distance) + M_PI * y, -kMostElevation, kMostElevation);
  camera_.eye = camera_.target + distance * Vec3(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                                                 std::cos(azimuth) * std::cos(elevation));
}

void CameraControl::pan(double x, double y) {
  const Vec3 back = camera_.eye - camera_.target;
  const double height = 2 * back.norm() * std::tan(camera_.field_of_view * M_PI / 360);
  const Vec3 right = camera_.up.cross(back).normalized(), up = back.cross(right).normalized();
  const Vec3 shift = height * (-x * right + y * up);
  camera_.eye += shift;
  camera_.target += shift;
}

void CameraControl::zoom(double notches) {
  zoomed_ = true;
  depth_ = 0;
  const Vec3 back = camera_.eye - camera_.target;
  const double distance = std::clamp(back.norm() * std::pow(0.9, notches), 1e-3, 1e4);
  camera_.eye = camera_.target + distance * back.normalized();
}

namespace {

/// What points cover of a picture: from -1 to 1 over its height, as much to a unit across.
struct Cover {
  Eigen::AlignedBox2d box;
  double depth = 0;     ///< mean distance along the view [m]
  bool behind = false;  ///< whether some are behind the eye
};

Cover cover_of(const Points& points, const Camera& camera) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized(), up = right.cross(forward);
  const double least = 1e-3 * (camera.target - camera.eye).norm();
  const double scale = 1 / std::tan(camera.field_of_view * M_PI / 360);
  Cover cover;
  for (int v = 0; v < points.cols(); ++v) {
    const Vec3 offset = points.col(v) - camera.eye;
    const double depth = offset.dot(forward);
    cover.depth += depth / double(points.cols());
    if (depth > least)
      cover.box.extend(Vec2(scale * offset.dot(right) / depth, scale * offset.dot(up) / depth));
    else
      cover.behind = true;
  }
  return cover;
}

/// How far the range [low, high] must go to lie in [from, to]; where it is longer, only its middle must.
double shift_into(double low, double high, double from, double to) {
  if (high - low > to - from) low = high = (low + high) / 2;
  return std::max(from - low, 0.0) + std::min(to - high, 0.0);
}

}  // namespace

bool CameraControl::follow(const Points& points, double aspect, const Margins& margins) {
  constexpr int kRounds = 8;  // a shift changes perspective, so that the next one corrects it
  constexpr double kSlack = 1e-4, kDeeper = 1.1;
  if (points.cols() == 0 || !points.allFinite()) return false;
  const Vec2 low(aspect * (2 * margins.left - 1), 2 * margins.bottom - 1);
  const Vec2 high(aspect * (1 - 2 * margins.right), 1 - 2 * margins.top);
  bool moved = false;
  for (int round = 0; round < kRounds; ++round) {
    // 1. Cloth that goes away or comes near keeps its size
    const Cover cover = cover_of(points, camera_);
    if (depth_ == 0) depth_ = cover.depth;
    const double deeper = cover.depth - std::clamp(cover.depth, depth_ / kDeeper, depth_ * kDeeper);
    const Vec3 back = camera_.eye - camera_.target;
    if (cover.behind || std::abs(deeper) > kSlack * back.norm()) {
      const Vec3 way = (cover.behind ? cover.depth - depth_ - back.norm() : deeper) * -back.normalized();
      camera_.eye += way;
      camera_.target += way;
      moved = true;
      continue;
    }

    // 2. To where there is room
    const Vec2 shift(shift_into(cover.box.min().x(), cover.box.max().x(), low.x(), high.x()),
                     shift_into(cover.box.min().y(), cover.box.max().y(), low.y(), high.y()));
    if (shift.norm() > kSlack) {
      pan(shift.x() / 2 * cover.depth / back.norm(), -shift.y() / 2 * cover.depth / back.norm());
      moved = true;
      continue;
    }

    // 3. Farther away, if there is none
    const double excess = (cover.box.sizes().array() / (high - low).array()).maxCoeff();
    if (excess <= 1 + kSlack || zoomed_) return moved;
    camera_.eye = camera_.target + excess * back;
    depth_ = 0;
    moved = true;
  }
  return moved;
}

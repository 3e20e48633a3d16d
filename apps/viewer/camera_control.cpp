#include "camera_control.h"

#include <algorithm>
#include <cmath>

using namespace muslin;

void CameraControl::frame(const Box& box, double aspect) { camera_ = frame_all(box, aspect); }

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
  const Vec3 back = camera_.eye - camera_.target;
  const double distance = std::clamp(back.norm() * std::pow(0.9, notches), 1e-3, 1e4);
  camera_.eye = camera_.target + distance * back.normalized();
}

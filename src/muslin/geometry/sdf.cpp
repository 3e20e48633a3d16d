#include "muslin/geometry/sdf.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/maths.h"

namespace muslin {

namespace {
// v / |v|, or straight up where there is no direction.
Vec3 direction_or_up(const Vec3& v) {
  const double length = v.norm();
  return length > 0 ? Vec3(v / length) : Vec3::UnitY();
}
}  // namespace

SurfacePoint sphere_surface(const Vec3& p, double radius) { return {p.norm() - radius, direction_or_up(p)}; }

SurfacePoint plane_surface(const Vec3& p) { return {p.y(), Vec3::UnitY()}; }

SurfacePoint box_surface(const Vec3& p, const Vec3& size) {
  const Vec3 q = p.cwiseAbs() - size / 2;
  const Vec3 outside = q.cwiseMax(0.0);
  const auto sign = [&](Eigen::Index axis) { return p[axis] < 0 ? -1.0 : 1.0; };
  if (const double distance = outside.norm(); distance > 0) {
    const Vec3 n = outside / distance;
    return {distance, {sign(0) * n[0], sign(1) * n[1], sign(2) * n[2]}};
  }
  Eigen::Index nearest_face = 0;
  const double distance = q.maxCoeff(&nearest_face);
  return {distance, sign(nearest_face) * Vec3::Unit(nearest_face)};
}

SurfacePoint capsule_surface(const Vec3& p, double radius, double length) {
  const Vec3 from_axis = p - Vec3(0, std::clamp(p.y(), -length / 2, length / 2), 0);
  if (from_axis.isZero(0)) return {-radius, Vec3::UnitX()};  // the way out is sideways, not along the axis
  return sphere_surface(from_axis, radius);
}

SurfacePoint cylinder_surface(const Vec3& p, double radius, double length) {
  const double from_axis = maths::hypot(p.x(), p.z());
  const Vec3 side = from_axis > 0 ? Vec3(p.x() / from_axis, 0, p.z() / from_axis) : Vec3::UnitX();
  const Vec3 cap(0, p.y() < 0 ? -1 : 1, 0);
  const double beyond_side = from_axis - radius, beyond_cap = std::abs(p.y()) - length / 2;
  if (beyond_side > 0 && beyond_cap > 0) {
    const double distance = maths::hypot(beyond_side, beyond_cap);
    return {distance, (beyond_side * side + beyond_cap * cap) / distance};
  }
  if (beyond_side > beyond_cap) return {beyond_side, side};
  return {beyond_cap, cap};
}

}  // namespace muslin

#include "muslin/energy/bending.h"

#include <Eigen/Geometry>

namespace muslin {

namespace {
// Cotangent of the angle at `corner` between the directions to a and b.
double cotangent(const Vec3& corner, const Vec3& a, const Vec3& b) {
  const Vec3 u = a - corner, v = b - corner;
  return u.dot(v) / u.cross(v).norm();
}
}  // namespace

HingeWeights hinge_weights(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
  const double at0_first = cotangent(x0, x1, x2), at1_first = cotangent(x1, x0, x2);
  const double at0_second = cotangent(x0, x1, x3), at1_second = cotangent(x1, x0, x3);
  return {
      {at1_first + at1_second, at0_first + at0_second, -(at0_first + at1_first), -(at0_second + at1_second)},
      triangle_area(x0, x1, x2) + triangle_area(x0, x1, x3)};
}

}  // namespace muslin

#include "muslin/energy/membrane.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace muslin {

RestTriangle rest_triangle(const Local<3>& rest, const Vec3& warp) {
  const Vec3 first = rest.col(1) - rest.col(0), second = rest.col(2) - rest.col(0);
  const Vec3 weft = first.cross(second).normalized().cross(warp);
  Eigen::Matrix2d edges;
  edges << first.dot(warp), second.dot(warp), first.dot(weft), second.dot(weft);
  const Eigen::Matrix2d inverse = edges.inverse();
  return {{-inverse(0, 0) - inverse(1, 0), inverse(0, 0), inverse(1, 0)},
          {-inverse(0, 1) - inverse(1, 1), inverse(0, 1), inverse(1, 1)},
          0.5 * edges.determinant()};
}

}  // namespace muslin

#include "muslin/geometry/mesh.h"

#include <Eigen/Geometry>

#include "muslin/core/problems.h"

namespace muslin {

std::array<Vec2, 3> Mesh::uv_of(int triangle) const {
  std::array<Vec2, 3> result;
  for (int k = 0; k < 3; ++k) {
    const int of_corner = triangle_uv.empty() ? Polygons::kNone : triangle_uv[triangle][k];
    result[k] = of_corner == Polygons::kNone ? uv[triangles[triangle][k]] : polygons->uv[of_corner];
  }
  return result;
}

Points vertex_normals(const Points& positions, const std::vector<Stencil<3>>& triangles) {
  const auto is_vertex = [&](int v) { return v >= 0 && v < positions.cols(); };
  for (const auto& [a, b, c] : triangles)
    if (!is_vertex(a) || !is_vertex(b) || !is_vertex(c))
      throw Error(ErrorKind::invalid,
                  fmt::format("normals: a triangle has vertices {} {} {} of {}", a, b, c, positions.cols()));
  Points normals = Points::Zero(3, positions.cols());
  for (const auto& [a, b, c] : triangles) {
    const Vec3 ab = positions.col(b) - positions.col(a);
    const Vec3 ac = positions.col(c) - positions.col(a);
    const Vec3 twice_area = ab.cross(ac);
    for (int v : {a, b, c}) normals.col(v) += twice_area;
  }
  for (auto normal : normals.colwise()) normal.stableNormalize();
  return normals;
}

double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 0.5 * (b - a).cross(c - a).norm();
}

}  // namespace muslin

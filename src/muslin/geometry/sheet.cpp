#include "muslin/geometry/sheet.h"

namespace muslin {

Mesh make_sheet(const std::array<int, 2>& points, const Vec3& origin, const Vec3& u, const Vec3& v,
                Diagonals diagonals) {
  const auto [nu, nv] = points;
  Mesh mesh;
  mesh.positions.resize(3, nu * nv);
  mesh.uv.resize(nu * nv);
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      const double s = double(i) / (nu - 1), t = double(j) / (nv - 1);
      mesh.positions.col(j * nu + i) = origin + u * s + v * t;
      mesh.uv[j * nu + i] = Vec2(s * u.norm(), t * v.norm());
    }
  mesh.triangles.reserve(2 * (nu - 1) * (nv - 1));
  for (int j = 0; j + 1 < nv; ++j)
    for (int i = 0; i + 1 < nu; ++i) {
      const int a = j * nu + i, b = a + 1, c = a + nu, d = c + 1;
      const bool forward =
          diagonals == Diagonals::forward || (diagonals == Diagonals::alternating && (i + j) % 2 == 0);
      if (forward) {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({a, d, c});
        mesh.diagonals.push_back({a, d});
      } else {
        mesh.triangles.push_back({b, c, a});
        mesh.triangles.push_back({d, c, b});
        mesh.diagonals.push_back({b, c});
      }
    }
  return mesh;
}

}  // namespace muslin

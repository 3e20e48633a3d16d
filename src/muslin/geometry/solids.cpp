#include "muslin/geometry/solids.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"

namespace muslin {

namespace {

const double kPi = std::acos(-1.0);

/// A circle about the y axis; of radius 0, a pole.
struct Ring {
  double radius, height;
};

/// Turns an outline, given from top to bottom and beginning and ending with a pole, about the y axis.
Mesh turn(const std::vector<Ring>& outline, int around) {
  MUSLIN_ASSERT(outline.size() >= 3 && outline.front().radius == 0 && outline.back().radius == 0);
  const int rings = static_cast<int>(outline.size()) - 2;  // between the poles
  Mesh mesh;
  mesh.positions.resize(3, rings * around + 2);
  const int top = rings * around, bottom = top + 1;
  mesh.positions.col(top) = outline.front().height * Vec3::UnitY();
  mesh.positions.col(bottom) = outline.back().height * Vec3::UnitY();
  for (int r = 0; r < rings; ++r)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * kPi * i / around;
      const auto [radius, height] = outline[r + 1];
      mesh.positions.col(r * around + i) << radius * std::cos(angle), height, -radius * std::sin(angle);
    }
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around, last = (rings - 1) * around;
    mesh.triangles.push_back({top, i, next});
    for (int r = 0; r + 1 < rings; ++r) {
      const int a = r * around + i, b = r * around + next, c = a + around, d = b + around;
      mesh.triangles.push_back({a, c, d});
      mesh.triangles.push_back({a, d, b});
    }
    mesh.triangles.push_back({last + i, bottom, last + next});
  }
  return mesh;
}

/// What a regular polygon's corners are farther away than its sides are.
double circumscribed(int around) { return 1 / std::cos(kPi / around); }

}  // namespace

Mesh make_sphere(double radius, int around) { return make_capsule(radius, 0, around); }

Mesh make_capsule(double radius, double length, int around) {
  const int quarter = std::max(1, around / 4);
  const double corner = radius * circumscribed(around) * circumscribed(4 * quarter);
  std::vector<Ring> outline;
  for (const double side : {1.0, -1.0})
    for (int k = 0; k <= quarter; ++k) {
      if (side < 0 && k == 0 && length == 0) continue;  // the equator is there
      const double angle = kPi / 2 * (side > 0 ? k : quarter - k) / quarter;
      outline.push_back({corner * std::sin(angle), side * (corner * std::cos(angle) + length / 2)});
    }
  outline.front().radius = outline.back().radius = 0;
  return turn(outline, around);
}

Mesh make_cylinder(double radius, double length, int around) {
  const double corner = radius * circumscribed(around), h = length / 2;
  Mesh mesh = turn({{0, h}, {corner, h}, {corner, -h}, {0, -h}}, around);
  for (int i = 0; i < around; ++i) {
    mesh.diagonals.push_back({i, 2 * around});  // spokes
    mesh.diagonals.push_back({around + i, 2 * around + 1});
    mesh.diagonals.push_back({i, around + (i + 1) % around});  // of the flat sides
  }
  for (Stencil<2>& d : mesh.diagonals) d = {std::min(d[0], d[1]), std::max(d[0], d[1])};
  std::sort(mesh.diagonals.begin(), mesh.diagonals.end());
  return mesh;
}

Mesh make_box(const Vec3& size) {
  Mesh mesh;
  mesh.positions.resize(3, 8);
  for (int v = 0; v < 8; ++v)
    mesh.positions.col(v) =
        Vec3(v & 1 ? 0.5 : -0.5, v & 2 ? 0.5 : -0.5, v & 4 ? 0.5 : -0.5).cwiseProduct(size);
  for (const auto& [a, b, c, d] :
       {Stencil<4>{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
    mesh.diagonals.push_back({std::min(a, c), std::max(a, c)});
  }
  std::sort(mesh.diagonals.begin(), mesh.diagonals.end());
  return mesh;
}

Mesh make_plane(double reach) {
  Mesh mesh;
  mesh.positions.resize(3, 3);
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * kPi * k / 3;
    mesh.positions.col(k) << 2 * reach * std::cos(angle), 0, -2 * reach * std::sin(angle);
  }
  mesh.triangles.push_back({0, 1, 2});
  return mesh;
}

}  // namespace muslin

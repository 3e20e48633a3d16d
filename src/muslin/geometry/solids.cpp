#include "muslin/geometry/solids.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "muslin/core/maths.h"
#include "muslin/geometry/topology.h"

namespace muslin {

namespace {

constexpr int kFewest = 8;        // corners of a circle that is not a pole
constexpr int kFewestRings = 3;   // from a pole to the equator
constexpr double kFlat = 1e-9;    // sine of the angle between faces that count as one
constexpr double kLongSide = 10;  // edges, as long as sides are where rims are finer than edges ask for

/// A regular polygon about the y axis; of one corner, a pole.
struct Ring {
  int corners;
  double radius, height;

  int first = 0;  // vertex, written by `skin`
};

/// The polygons of an outline, from top to bottom, joined by triangles: round about, whichever of two rings
/// is behind goes on to its next corner.
Mesh skin(std::vector<Ring> rings) {
  Mesh mesh;
  int count = 0;
  for (Ring& ring : rings) {
    ring.first = count;
    count += ring.corners;
  }
  mesh.positions.resize(3, count);
  for (const auto& [corners, radius, height, first] : rings)
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      mesh.positions.col(first + i) << radius * maths::cos(angle), height, -radius * maths::sin(angle);
    }
  for (size_t r = 0; r + 1 < rings.size(); ++r) {
    const Ring &up = rings[r], &down = rings[r + 1];
    const auto corner = [](const Ring& ring, int i) { return ring.first + i % ring.corners; };
    const int ups = up.corners > 1 ? up.corners : 0, downs = down.corners > 1 ? down.corners : 0;
    for (int i = 0, j = 0; i < ups || j < downs;) {
      const bool above = j == downs || (i < ups && (i + 1) * downs <= (j + 1) * ups);
      if (above)
        mesh.triangles.push_back({corner(up, i), corner(down, j), corner(up, i + 1)});
      else
        mesh.triangles.push_back({corner(up, i), corner(down, j), corner(down, j + 1)});
      ++(above ? i : j);
    }
  }
  return mesh;
}

Vec3 normal_of(const Mesh& mesh, int triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const Vec3 origin = mesh.positions.col(a);
  return (mesh.positions.col(b) - origin).cross(mesh.positions.col(c) - origin).normalized();
}

void find_diagonals(Mesh& mesh) {
  for (const Hinge& hinge : build_topology(mesh.vertex_count(), mesh.triangles, "solid").hinges)
    if (hinge.triangle1 >= 0 &&
        normal_of(mesh, hinge.triangle0).cross(normal_of(mesh, hinge.triangle1)).norm() < kFlat)
      mesh.diagonals.push_back({hinge.v0, hinge.v1});
}

int corners_of(double radius, double edge) {
  return std::max(kFewest, static_cast<int>(std::ceil(2 * std::numbers::pi * radius / edge)));
}

/// Upper half of a sphere, from the pole to the equator.
std::vector<Ring> dome(double radius, double edge) {
  const int steps = std::max(kFewestRings, static_cast<int>(std::ceil(std::numbers::pi / 2 * radius / edge)));
  std::vector<Ring> rings{{1, 0, radius}};
  for (int k = 1; k <= steps; ++k) {
    const double angle = std::numbers::pi / 2 * k / steps, out = radius * maths::sin(angle);
    rings.push_back({corners_of(out, edge), out, radius * maths::cos(angle)});
  }
  return rings;
}

std::vector<Ring> capsule_rings(double radius, double length, double edge) {
  std::vector<Ring> rings = dome(radius, edge);
  const int half = static_cast<int>(rings.size());
  const int along = length > 0 ? std::max(1, static_cast<int>(std::ceil(length / edge))) : 0;
  for (Ring& ring : rings) ring.height += length / 2;
  for (int k = 1; k <= along; ++k) {
    rings.push_back(rings[half - 1]);
    rings.back().height -= length * k / along;
  }
  for (int k = half - 2; k >= 0; --k) {
    rings.push_back(rings[k]);
    rings.back().height *= -1;
  }
  return rings;
}

}  // namespace

Mesh make_sphere(double radius, double edge) { return make_capsule(radius, 0, edge); }

Mesh make_capsule(double radius, double length, double edge) {
  // The planes of a ball's facets tell by how much its radius must grow.
  const Mesh ball = skin(capsule_rings(radius, 0, edge));
  double nearest = radius;
  for (int t = 0; t < static_cast<int>(ball.triangles.size()); ++t)
    nearest = std::min(nearest, normal_of(ball, t).dot(ball.positions.col(ball.triangles[t][0])));
  Mesh mesh = skin(capsule_rings(radius * radius / nearest, length, edge * radius / nearest));
  find_diagonals(mesh);
  return mesh;
}

double corners_to_stand_out(double radius, double at_most) {
  return std::numbers::pi / maths::acos(radius / (radius + at_most));
}

Mesh make_cylinder(double radius, double length, double edge, int least_corners) {
  const int corners = std::max(corners_of(radius, edge), least_corners);
  const double rim = radius / maths::cos(std::numbers::pi / corners), h = length / 2;
  const int across = std::max(1, static_cast<int>(radius / edge));
  const double side = corners > corners_of(radius, edge) ? kLongSide * edge : edge;
  const int along = std::max(1, static_cast<int>(std::ceil(length / side)));
  std::vector<Ring> rings{{1, 0, h}};
  for (int k = 1; k < across; ++k) rings.push_back({corners_of(rim * k / across, edge), rim * k / across, h});
  for (int k = 0; k <= along; ++k) rings.push_back({corners, rim, h - length * k / along});
  for (int k = across - 1; k >= 1; --k)
    rings.push_back({corners_of(rim * k / across, edge), rim * k / across, -h});
  rings.push_back({1, 0, -h});
  Mesh mesh = skin(std::move(rings));
  find_diagonals(mesh);
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
  }
  find_diagonals(mesh);
  return mesh;
}

Mesh make_plane(double reach) {
  Mesh mesh;
  mesh.positions.resize(3, 3);
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * std::numbers::pi * k / 3;
    mesh.positions.col(k) << 2 * reach * maths::cos(angle), 0, -2 * reach * maths::sin(angle);
  }
  mesh.triangles.push_back({0, 1, 2});
  return mesh;
}

}  // namespace muslin

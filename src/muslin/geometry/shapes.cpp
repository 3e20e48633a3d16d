#include "muslin/geometry/shapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/core/random.h"
#include "muslin/geometry/sheet.h"
#include "muslin/geometry/topology.h"

namespace muslin {

namespace {

// Where a fraction of the way lies, if steps grow from 1 to `grading`.
double graded(double fraction, double grading) {
  return grading == 1 ? fraction : (maths::pow(grading, fraction) - 1) / (grading - 1);
}

double angle_at(const Points& x, int tip, int a, int b) {
  const Vec3 p = x.col(a) - x.col(tip), q = x.col(b) - x.col(tip);
  return maths::atan2(p.cross(q).norm(), p.dot(q));
}

}  // namespace

void flip_to_delaunay(Mesh& mesh) {
  for (bool flipped = true; flipped;) {
    flipped = false;
    const Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, "mesh");
    std::vector<bool> touched(mesh.triangles.size());
    for (const Hinge& hinge : topology.hinges) {
      if (hinge.tip1 < 0 || touched[hinge.triangle0] || touched[hinge.triangle1]) continue;
      const double facing = angle_at(mesh.positions, hinge.tip0, hinge.v0, hinge.v1) +
                            angle_at(mesh.positions, hinge.tip1, hinge.v0, hinge.v1);
      if (facing <= std::numbers::pi + 1e-9) continue;
      // 1. Which way round the first triangle goes along the edge
      const Stencil<3>& triangle = mesh.triangles[hinge.triangle0];
      const auto place = std::find(triangle.begin(), triangle.end(), hinge.v0) - triangle.begin();
      const bool ahead = triangle[(place + 1) % 3] == hinge.v1;
      const auto [from, to] = ahead ? std::pair(hinge.v0, hinge.v1) : std::pair(hinge.v1, hinge.v0);
      // 2. The other diagonal
      mesh.triangles[hinge.triangle0] = {from, hinge.tip1, hinge.tip0};
      mesh.triangles[hinge.triangle1] = {to, hinge.tip0, hinge.tip1};
      touched[hinge.triangle0] = touched[hinge.triangle1] = flipped = true;
    }
  }
}

Mesh make_irregular_sheet(const IrregularSheet& sheet) {
  const int n = sheet.points;
  Mesh mesh = make_sheet({n, n}, Vec3::Zero(), Vec3(1, 0, 0), Vec3(0, 0, 1), Diagonals::alternating);
  mesh.diagonals.clear();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int v = j * n + i;
      const bool inner_u = i > 0 && i<n - 1, inner_v = j> 0 && j < n - 1;
      const double move_u = inner_u ? sheet.shake * (2 * random_unit(sheet.seed, v, 0) - 1) : 0;
      const double move_v = inner_v ? sheet.shake * (2 * random_unit(sheet.seed, v, 1) - 1) : 0;
      const double u = sheet.size * graded((i + move_u) / (n - 1), sheet.grading);
      const double w = sheet.size * graded((j + move_v) / (n - 1), sheet.grading);
      mesh.positions.col(v) = Vec3(u, 0, w);
      mesh.uv[v] = Vec2(u, w);
    }
  flip_to_delaunay(mesh);
  return mesh;
}

Mesh make_tube(int around, int along, double radius, double length) {
  MUSLIN_ASSERT(around >= 4 && around % 2 == 0 && along >= 2);
  Mesh mesh;
  mesh.positions.resize(3, around * along);
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      mesh.positions.col(j * around + i) =
          Vec3(radius * maths::cos(angle), length * j / (along - 1), radius * maths::sin(angle));
    }
  for (int j = 0; j + 1 < along; ++j)
    for (int i = 0; i < around; ++i) {
      const int next = (i + 1) % around;
      const int a = j * around + i, b = j * around + next, c = a + around, d = b + around;
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({b, a, c});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

Mesh cut_holes(const Mesh& mesh, const std::vector<Hole>& holes) {
  const auto in_hole = [&](int v) {
    return std::any_of(holes.begin(), holes.end(), [&](const Hole& hole) {
      return (mesh.positions.col(v) - hole.centre).norm() < hole.radius;
    });
  };
  // 1. The triangles that stay, and their vertices
  Mesh cut;
  std::vector<int> number(mesh.vertex_count(), -1);
  for (const Stencil<3>& triangle : mesh.triangles) {
    if (std::any_of(triangle.begin(), triangle.end(), in_hole)) continue;
    cut.triangles.push_back(triangle);
    for (const int v : triangle) number[v] = 0;
  }
  // 2. Numbers without gaps
  int count = 0;
  for (int& v : number)
    if (v == 0) v = count++;
  cut.positions.resize(3, count);
  if (!mesh.uv.empty()) cut.uv.resize(count);
  for (int v = 0; v < mesh.vertex_count(); ++v) {
    if (number[v] < 0) continue;
    cut.positions.col(number[v]) = mesh.positions.col(v);
    if (!mesh.uv.empty()) cut.uv[number[v]] = mesh.uv[v];
  }
  for (Stencil<3>& triangle : cut.triangles)
    for (int& v : triangle) v = number[v];
  return cut;
}

}  // namespace muslin

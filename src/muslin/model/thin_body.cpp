#include "muslin/model/thin_body.h"

#include <algorithm>
#include <cmath>

#include "muslin/core/parallel.h"
#include "muslin/geometry/closed_surface.h"
#include "muslin/model/motion.h"

namespace muslin {

namespace {

constexpr double kSmoothing = 3;       // of the surface's Laplacian over one
constexpr double kLargestBall = 0.15;  // of a body's height: no limb is thicker than two such balls

/// The radius of the largest ball that touches the surface at a vertex from within [m].
double inner_radius(const ClosedSurface& surface, const Vec3& place, const Vec3& normal, double most) {
  constexpr int kTurns = 30;
  constexpr double kFilled = 0.999;  // of the radius: what is nearer to the centre is inside the ball
  constexpr double kBeside = 0.9;    // the same where the mesh has corners: such a place is a neighbour's
  double radius = most;
  for (int turn = 0; turn < kTurns; ++turn) {
    const Vec3 centre = place - radius * normal;
    const SurfacePoint nearest = surface.at(centre);
    if (std::abs(nearest.distance) >= kFilled * radius) break;
    const Vec3 other = centre - nearest.distance * nearest.normal, way = place - other;
    if (-nearest.distance > kBeside * radius && normal.dot(other - centre) > kBeside * radius) break;
    const double along = 2 * normal.dot(way);
    const double next = along > 0 ? way.squaredNorm() / along : radius / 2;
    radius = std::min(next, kFilled * radius);
  }
  return radius;
}

/// Solves (D + s L) x = D b on the edges of a mesh, D their number at every vertex, by conjugate gradients.
Points smoothed(const Points& b, const std::vector<Stencil<3>>& triangles) {
  constexpr int kMost = 400;
  constexpr double kEnough = 1e-6;
  const auto n = b.cols();
  Scalars degree = Scalars::Zero(n);
  for (const Stencil<3>& t : triangles)
    for (const int v : t) degree[v] += 1;
  const auto times = [&](const Points& x) {  // every edge of a closed mesh once in each direction
    Points y = x * ((1 + kSmoothing) * degree).asDiagonal();
    for (const Stencil<3>& t : triangles)
      for (int k = 0; k < 3; ++k) y.col(t[k]) -= kSmoothing * x.col(t[(k + 1) % 3]);
    return y;
  };
  const auto product = [&](const Points& x, const Points& y) {
    double sum = 0;
    for (Eigen::Index v = 0; v < n; ++v) sum += x.col(v).dot(y.col(v));
    return sum;
  };
  const Scalars weight = degree.cwiseMax(1);
  Points x = b, r = b * weight.asDiagonal() - times(x);
  Points z = r * weight.cwiseInverse().asDiagonal(), p = z;
  double rz = product(r, z);
  const double enough = kEnough * kEnough * product(b, b * weight.asDiagonal());
  for (int k = 0; k < kMost && rz > enough; ++k) {
    const Points q = times(p);
    const double step = rz / product(p, q);
    x += step * p;
    r -= step * q;
    z = r * weight.cwiseInverse().asDiagonal();
    const double next = product(r, z);
    p = z + (next / rz) * p;
    rz = next;
  }
  return x;
}

}  // namespace

Points thin_body(const Mesh& mesh, double part) {
  const ClosedSurface surface(mesh);
  std::vector<Stencil<3>> triangles = mesh.triangles;
  for (int t = 0; t < std::ssize(triangles); ++t)
    if (surface.side(t) < 0) std::swap(triangles[t][1], triangles[t][2]);
  const Points normals = vertex_normals(mesh.positions, triangles);
  const Vec3 size = mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff();
  const double most = kLargestBall * size.maxCoeff();
  Points ways(3, mesh.vertex_count());
  parallel_for(mesh.vertex_count(), [&](int v) {
    ways.col(v) = -inner_radius(surface, mesh.positions.col(v), normals.col(v), most) * normals.col(v);
  });
  return mesh.positions + part * smoothed(ways, triangles);
}

Scene with_thin_body(Scene scene) {
  if (!scene.dress) return scene;
  for (Collider& collider : scene.colliders) {
    if (collider.name != scene.dress->body || collider.frames || !collider.mesh || !collider.mesh->mesh)
      continue;
    Mesh body = *collider.mesh->mesh;
    body.positions = placed(*collider.mesh, body.positions);
    // Frames are in the file's unit, as its vertices are; thinning is a length, so that it is scaled back
    const Points whole = collider.mesh->mesh->positions;
    const Mat3 turn = rotation_xyz(collider.mesh->rotation);
    const Points thin = thin_body(body, scene.dress->thin);
    MeshFrames frames;
    frames.count = 2;
    frames.start = scene.dress->sew;
    frames.interval = scene.dress->grow;
    frames.shapes = std::make_shared<const std::vector<Points>>(std::vector<Points>{
        whole + Points(turn.transpose() * (thin - body.positions)) / collider.mesh->scale, whole});
    collider.frames = std::move(frames);
  }
  return scene;
}

}  // namespace muslin

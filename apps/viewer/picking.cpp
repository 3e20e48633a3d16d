#include "picking.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/contact/vertices/gap.h"

using namespace muslin;

Ray camera_ray(const Camera& camera, double x, double y, double width, double height) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized(), up = right.cross(forward);
  const double scale = std::tan(camera.field_of_view * M_PI / 360);
  const double across = (2 * x - width) / height, above = 1 - 2 * y / height;
  return {camera.eye, (forward + scale * (across * right + above * up)).normalized()};
}

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Distance along the ray to a triangle from either side, or kNever [Moeller 1997].
double triangle_distance(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, p = ray.direction.cross(ac);
  const double determinant = ab.dot(p);
  if (std::abs(determinant) < 1e-30) return kNever;
  const Vec3 from_a = ray.origin - a, q = from_a.cross(ab);
  const double u = from_a.dot(p) / determinant, v = ray.direction.dot(q) / determinant;
  if (u < 0 || v < 0 || u + v > 1) return kNever;
  const double distance = ac.dot(q) / determinant;
  return distance > 0 ? distance : kNever;
}

double mesh_distance(const Ray& ray, const PosedCollider& posed) {
  const Points places = (posed.pose.rotation * posed.shape).colwise() + posed.pose.translation;
  double nearest = kNever;
  for (const auto& [a, b, c] : posed.collider.mesh->mesh->triangles)
    nearest = std::min(nearest, triangle_distance(ray, places.col(a), places.col(b), places.col(c)));
  return nearest;
}

/// Steps along the ray by the distance that is surely free, up to `limit`.
double collider_distance(const Ray& ray, const PosedCollider& posed, double limit) {
  if (posed.collider.shape == Shape::mesh) return mesh_distance(ray, posed);
  constexpr int kMostSteps = 400;
  double distance = 0;
  for (int i = 0; i < kMostSteps && distance < limit; ++i) {
    const double gap = surface_of(posed.collider, posed.pose, ray.at(distance)).distance;
    if (gap < 1e-6 * (1 + distance)) return distance;
    distance += gap;
  }
  return kNever;
}

int nearest_corner(const Points& positions, const Stencil<3>& triangle, const Vec3& point) {
  int nearest = triangle[0];
  for (const int v : triangle)
    if ((positions.col(v) - point).squaredNorm() < (positions.col(nearest) - point).squaredNorm())
      nearest = v;
  return nearest;
}

}  // namespace

std::optional<Pick> pick(const Stage& stage, const Ray& ray) {
  Pick found;
  found.distance = kNever;
  for (const Stencil<3>& triangle : stage.triangles) {
    const Points& x = stage.positions;
    const double distance =
        triangle_distance(ray, x.col(triangle[0]), x.col(triangle[1]), x.col(triangle[2]));
    if (distance < found.distance) {
      const Vec3 point = ray.at(distance);
      found = {Pick::Kind::vertex, nearest_corner(x, triangle, point), point, distance};
    }
  }
  bool is_floor = false;
  const double reach = std::min(found.distance, 1e4);
  double nearest = reach;
  for (int c = 0; c < static_cast<int>(stage.colliders.size()); ++c) {
    const double distance = collider_distance(ray, stage.colliders[c], nearest);
    if (distance >= nearest) continue;
    nearest = distance;
    is_floor = stage.colliders[c].collider.shape == Shape::plane;
    found = {Pick::Kind::collider, c, ray.at(distance), distance};
  }
  if (is_floor || found.distance == kNever) return {};
  return found;
}

namespace {

/// Whether a line, closed, winds round a point an odd number of times.
bool surrounds(const std::vector<Vec2>& line, const Vec2& point) {
  bool inside = false;
  for (size_t i = 0, j = line.size() - 1; i < line.size(); j = i++) {
    const Vec2 &a = line[i], &b = line[j];
    if ((a.y() > point.y()) == (b.y() > point.y())) continue;
    inside ^= point.x() < a.x() + (point.y() - a.y()) * (b.x() - a.x()) / (b.y() - a.y());
  }
  return inside;
}

/// Whether cloth or a collider is before a vertex, as the eye sees it.
bool is_hidden(const Stage& stage, const Vec3& eye, int vertex) {
  constexpr double kNear = 0.002;  // of the distance: what the vertex lies upon does not hide it
  const Vec3 way = stage.positions.col(vertex) - eye;
  const Ray ray{eye, way.normalized()};
  const double before = (1 - kNear) * way.norm();
  for (const Stencil<3>& t : stage.triangles) {
    if (t[0] == vertex || t[1] == vertex || t[2] == vertex) continue;
    const Points& x = stage.positions;
    if (triangle_distance(ray, x.col(t[0]), x.col(t[1]), x.col(t[2])) < before) return true;
  }
  return std::any_of(stage.colliders.begin(), stage.colliders.end(), [&](const PosedCollider& posed) {
    return collider_distance(ray, posed, before) < before;
  });
}

}  // namespace

std::vector<int> vertices_inside(const Stage& stage, const Camera& camera, const std::vector<Vec2>& line,
                                 double width, double height, bool through) {
  std::vector<int> inside;
  if (line.size() < 3) return inside;
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized(), up = right.cross(forward);
  const double scale = height / (2 * std::tan(camera.field_of_view * M_PI / 360));
  for (int v = 0; v < stage.positions.cols(); ++v) {
    const Vec3 offset = stage.positions.col(v) - camera.eye;
    const double depth = offset.dot(forward);
    if (depth <= 0) continue;
    const Vec2 pixel(width / 2 + scale * offset.dot(right) / depth,
                     height / 2 - scale * offset.dot(up) / depth);
    if (surrounds(line, pixel) && (through || !is_hidden(stage, camera.eye, v))) inside.push_back(v);
  }
  return inside;
}

Vec3 on_camera_plane(const Ray& ray, const Camera& camera, const Vec3& point) {
  const Vec3 normal = (camera.target - camera.eye).normalized();
  return ray.at((point - ray.origin).dot(normal) / ray.direction.dot(normal));
}

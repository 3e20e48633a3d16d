#include "muslin/audit/bodies.h"

#include <Eigen/Geometry>
#include <numbers>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"

namespace muslin {

namespace {

std::vector<const Collider*> mesh_bodies(const Model& model) {
  std::vector<const Collider*> bodies;
  for (const Collider& collider : model.colliders)
    if (collider.enabled && collider.shape == Shape::mesh) bodies.push_back(&collider);
  return bodies;
}

const Mesh& mesh_of(const Collider& body) { return *body.mesh->mesh; }

/// The element `number` behind those of cloth, where every body has `count` of them.
template <class Count>
UserElement element_of_bodies(const Model& model, int number, const Count& count) {
  for (const Collider* body : mesh_bodies(model)) {
    if (number < count(mesh_of(*body))) return {number, body};
    number -= count(mesh_of(*body));
  }
  MUSLIN_ASSERT(false);
  return {};
}

}  // namespace

Surface surface_with_bodies(const Model& model) {
  std::vector<Stencil<3>> triangles = model.triangles;
  int first = model.vertex_count();
  for (const Collider* body : mesh_bodies(model)) {
    for (const auto& [a, b, c] : mesh_of(*body).triangles)
      triangles.push_back({first + a, first + b, first + c});
    first += mesh_of(*body).vertex_count();
  }
  Surface surface = make_surface(first, triangles);
  surface.cloth_vertices = model.vertex_count();
  return surface;
}

Points places_with_bodies(const Model& model, const Points& cloth, double time) {
  return places_with_bodies(model, cloth, placed_at(model.colliders, time));
}

Points places_with_bodies(const Model& model, const Points& cloth, const PlacedColliders& placed) {
  Points places = cloth;
  for (const Collider* body : mesh_bodies(model)) {
    const auto c = body - model.colliders.data();
    const Pose& pose = placed.poses[c];
    const Points shape = (pose.rotation * placed.shapes[c]).colwise() + pose.translation;
    places.conservativeResize(3, places.cols() + shape.cols());
    places.rightCols(shape.cols()) = shape;
  }
  return places;
}

// The solid angle over that of the sphere [Van Oosterom 1983].
double winding_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double u = a.norm(), v = b.norm(), w = c.norm();
  return maths::atan2(a.dot(b.cross(c)), u * v * w + a.dot(b) * w + b.dot(c) * u + c.dot(a) * v) /
         (2 * std::numbers::pi);
}

double winding_number(const Points& positions, const std::vector<Stencil<3>>& triangles, const Vec3& point) {
  double sum = 0;
  for (const auto& [i, j, k] : triangles)
    sum += winding_of(positions.col(i) - point, positions.col(j) - point, positions.col(k) - point);
  return sum;
}

UserElement user_vertex(const Model& model, int vertex) {
  if (vertex < model.vertex_count()) return {model.vertex_numbers.to_user(vertex), nullptr};
  return element_of_bodies(model, vertex - model.vertex_count(),
                           [](const Mesh& mesh) { return mesh.vertex_count(); });
}

UserElement user_triangle_of(const Model& model, int triangle) {
  const int count = static_cast<int>(model.triangles.size());
  if (triangle < count) return {model.triangle_numbers.to_user(triangle), nullptr};
  return element_of_bodies(model, triangle - count,
                           [](const Mesh& mesh) { return static_cast<int>(mesh.triangles.size()); });
}

Stencil<3> vertices_of(const Model& model, const UserElement& triangle) {
  return triangle.collider ? mesh_of(*triangle.collider).triangles[triangle.number]
                           : user_triangle(model, triangle.number);
}

}  // namespace muslin

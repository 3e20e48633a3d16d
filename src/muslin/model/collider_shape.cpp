#include "muslin/model/collider_shape.h"

#include <algorithm>
#include <array>

#include "muslin/core/maths.h"
#include "muslin/geometry/solids.h"
#include "muslin/model/motion.h"

namespace muslin {

ColliderShape sphere_shape() {
  return {.reads = {"radius"},
          .surface = [](const Collider& c, const Vec3& p) { return sphere_surface(p, c.radius); },
          .mesh = [](const Collider& c, double edge, int) { return make_sphere(c.radius, edge); },
          .width = [](const Collider& c) { return 2 * c.radius; },
          .reach = [](const Collider& c) { return c.radius; },
          .contact = ContactSurface::ball,
          .is_round = true};
}

ColliderShape plane_shape() {
  constexpr double kReach = 1000;  // [m] how far its mesh extends
  return {.reads = {"axis"},
          .surface = [](const Collider&, const Vec3& p) { return plane_surface(p); },
          .mesh = [](const Collider&, double, int) { return make_plane(kReach); },
          .contact = ContactSurface::plane};
}

ColliderShape box_shape() {
  return {.reads = {"size"},
          .surface = [](const Collider& c, const Vec3& p) { return box_surface(p, c.size); },
          .mesh = [](const Collider& c, double, int) { return make_box(c.size); },
          .width = [](const Collider& c) { return c.size.minCoeff(); },
          .reach = [](const Collider& c) { return c.size.norm() / 2; }};
}

ColliderShape capsule_shape() {
  return {.reads = {"axis", "radius", "length"},
          .surface = [](const Collider& c, const Vec3& p) { return capsule_surface(p, c.radius, c.length); },
          .mesh = [](const Collider& c, double edge, int) { return make_capsule(c.radius, c.length, edge); },
          .width = [](const Collider& c) { return 2 * c.radius; },
          .reach = [](const Collider& c) { return c.length / 2 + c.radius; },
          .contact = ContactSurface::capsule,
          .is_round = true};
}

ColliderShape cylinder_shape() {
  return {
      .reads = {"axis", "radius", "length"},
      .surface = [](const Collider& c, const Vec3& p) { return cylinder_surface(p, c.radius, c.length); },
      .mesh = [](const Collider& c, double edge,
                 int corners) { return make_cylinder(c.radius, c.length, edge, corners); },
      .width = [](const Collider& c) { return std::min(2 * c.radius, c.length); },
      .reach = [](const Collider& c) { return maths::hypot(c.radius, c.length / 2); },
      .corners = [](const Collider& c, double at_most) { return corners_to_stand_out(c.radius, at_most); },
      .is_round = true};
}

// Diagonals are edges like others: polygons of files need not be flat, nor stay so.
ColliderShape mesh_shape() {
  return {.mesh = [](const Collider& c, double, int) {
    Mesh mesh = *c.mesh->mesh;
    mesh.positions = shape_at(c, 0);
    mesh.diagonals.clear();
    return mesh;
  }};
}

bool ColliderShape::is_read(std::string_view field) const {
  return std::find(reads.begin(), reads.end(), field) != reads.end();
}

const ColliderShape& shape_of(Shape shape) {
#define MUSLIN_SHAPE(name) name##_shape(),
  static const std::array table{MUSLIN_COLLIDER_SHAPES(MUSLIN_SHAPE)};
#undef MUSLIN_SHAPE
  return table[static_cast<std::size_t>(shape)];
}

}  // namespace muslin

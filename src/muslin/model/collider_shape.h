#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "muslin/geometry/mesh.h"
#include "muslin/geometry/sdf.h"
#include "muslin/model/scene.h"

namespace muslin {

/// How contact of triangles sees a shape.
enum class ContactSurface {
  ball,     ///< exactly: what is within the radius of a point
  capsule,  ///< exactly: what is within the radius of a segment along y
  plane,    ///< exactly: y ≤ 0, without an end
  mesh,     ///< by a mesh that encloses it
};

/// What there is to know of a collider's shape, in its own frame: centre at the origin, axis along y. All but
/// meshes are convex. Fields of the collider are all that the functions read.
struct ColliderShape {
  std::vector<std::string_view> reads = {};  ///< the fields of its size: "radius", "length", "size", "axis"

  /// Signed distance and normal. Null for meshes: Model::collider_surfaces has them.
  SurfacePoint (*surface)(const Collider&, const Vec3& place) = nullptr;

  /// A closed mesh that encloses it and whose edges are about `edge` [m] where it is round; the circles of a
  /// round one have at least so many corners.
  Mesh (*mesh)(const Collider&, double edge, int corners) = nullptr;

  /// Across, where it is narrowest [m]; infinite for what is not passed through.
  double (*width)(const Collider&) = [](const Collider&) { return kInfinity; };

  /// How far from the centre it extends [m].
  double (*reach)(const Collider&) = [](const Collider&) { return kInfinity; };

  ContactSurface contact = ContactSurface::mesh;

  /// How many corners the circles of its mesh need to stand out from it by at most so much [m]. Null where
  /// contact does not see it by a mesh, or the mesh is the shape itself.
  double (*corners)(const Collider&, double at_most) = nullptr;

  bool is_round = false;  ///< gets through between three vertices of cloth rather than across an edge

  /// What ranges of single fields cannot say of its size, as "radius: must be …"; or "".
  std::string (*problem)(const Collider&) = [](const Collider&) { return std::string(); };

  bool is_read(std::string_view field) const;
  /// Whether contact sees more than the shape itself: a mesh that stands out from it.
  bool stands_out() const { return contact == ContactSurface::mesh && corners; }
};

#define MUSLIN_DECLARE_SHAPE(name) ColliderShape name##_shape();
MUSLIN_COLLIDER_SHAPES(MUSLIN_DECLARE_SHAPE)
#undef MUSLIN_DECLARE_SHAPE

const ColliderShape& shape_of(Shape shape);
inline const ColliderShape& shape_of(const Collider& collider) { return shape_of(collider.shape); }

}  // namespace muslin

#pragma once
#include "muslin/geometry/mesh.h"

// Analytic solids (sdf.h) as closed triangle meshes in the same frames: centre at the origin, axis along y,
// normals outwards. Round ones are circumscribed: nothing outside the mesh is inside the solid. Edges that
// lie in a flat face are the mesh's `diagonals`.

namespace muslin {

inline constexpr int kRound =
    96;  ///< segments of a full turn; a sphere's facets stick out by 0.11 % of its radius

Mesh make_sphere(double radius, int around = kRound);
/// `length` is the distance between the centres of the end spheres.
Mesh make_capsule(double radius, double length, int around = kRound);
/// `length` is the height of the cylinder.
Mesh make_cylinder(double radius, double length, int around = kRound);
Mesh make_box(const Vec3& size);
/// The plane y = 0 as one triangle, of which every point within `reach` [m] of the origin is an inner one.
Mesh make_plane(double reach);

}  // namespace muslin

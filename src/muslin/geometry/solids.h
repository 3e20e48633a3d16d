#pragma once
#include "muslin/geometry/mesh.h"

// Analytic solids (sdf.h) as closed triangle meshes in the same frames: centre at the origin, axis along y,
// normals outwards, edges of about `edge` [m] where surfaces are round. Round ones are circumscribed: nothing
// outside the mesh is inside the solid, and facets stick out by about edge²/8 radius. Edges within flat faces
// are the mesh's `diagonals`.

namespace muslin {

Mesh make_sphere(double radius, double edge);
/// `length` is the distance between the centres of the end spheres.
Mesh make_capsule(double radius, double length, double edge);
/// `length` is the height of the cylinder. Its rims have at least so many corners; where
/// that is more than edges ask for, sides are up to ten edges long.
Mesh make_cylinder(double radius, double length, double edge, int corners = 0);
/// How many corners a circumscribed polygon needs that stands out from its circle by at most so much [m].
double corners_to_stand_out(double radius, double at_most);
Mesh make_box(const Vec3& size);
/// The plane y = 0 as one triangle, of which every point within `reach` [m] of the origin is an inner one.
Mesh make_plane(double reach);

}  // namespace muslin

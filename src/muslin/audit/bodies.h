#pragma once
#include <vector>

#include "muslin/audit/surface.h"
#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// The cloth of a model and, numbered behind it, the enabled colliders that are meshes.
Surface surface_with_bodies(const Model& model);

/// Where the vertices of that surface are at a time [s]: cloth as given, bodies where the scene has them; 3×n
/// [m].
Points places_with_bodies(const Model& model, const Points& cloth, double time);
/// Where they are with these colliders.
Points places_with_bodies(const Model& model, const Points& cloth, const PlacedColliders& placed);

/// How often a mesh winds around a point that is not on it [Jacobson 2013]: 1 or −1 inside a closed one, 0
/// outside, something between where it is open. positions: of the mesh's vertices.
double winding_number(const Points& positions, const std::vector<Stencil<3>>& triangles, const Vec3& point);

/// The share of a triangle in that, about the origin.
double winding_of(const Vec3& a, const Vec3& b, const Vec3& c);

/// An element of that surface by the user's numbers.
struct UserElement {
  int number;                ///< through all cloths, or in the collider's mesh
  const Collider* collider;  ///< null: of cloth
};
/// The user's number of a vertex of that surface.
UserElement user_vertex(const Model& model, int vertex);
/// The user's number of a triangle of that surface.
UserElement user_triangle_of(const Model& model, int triangle);

/// The vertices of a triangle by the user's numbers.
Stencil<3> vertices_of(const Model& model, const UserElement& triangle);

}  // namespace muslin

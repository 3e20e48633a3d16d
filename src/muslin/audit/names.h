#pragma once
#include <string>
#include <utility>

#include "muslin/audit/surface.h"
#include "muslin/model/model.h"

// Elements in words. They are given by the model's numbers; words have the user's, which count from 0 through
// all cloths, as vertices stand in the frames, or in the mesh of a collider. The cloth is named where there
// are several, a collider always.

namespace muslin {

/// `vertex 12`, `vertex 12 of "shirt"`.
std::string vertex_name(const Model& model, int vertex);
/// `triangle 7 (vertices 1, 2, 3)`, `… of "shirt"`.
std::string triangle_name(const Model& model, int triangle);
/// `vertex 12 and triangle 7 (vertices 1, 2, 3)`, `edge 3-4 and edge 8-9`.
std::string pair_name(const Model& model, const Surface& surface, const ElementPair& pair);
/// `(0.1, 0.25, -1)`.
std::string place_name(const Vec3& place);

/// A point where two triangles meet, or near there: the middle of what their boxes have in common [m].
Vec3 meeting_place(const Points& positions, const Stencil<3>& a, const Stencil<3>& b);

}  // namespace muslin

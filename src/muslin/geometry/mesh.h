#pragma once
#include <memory>
#include <string>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/geometry/polygons.h"

namespace muslin {

/// A triangle mesh: what shape generators and file readers make.
struct Mesh {
  Points positions;                   ///< rest positions [m], 3×n
  std::vector<Stencil<3>> triangles;  ///< counter-clockwise seen from the front
  std::vector<Vec2> uv;  ///< texture and weave coordinates a vertex; empty if the source has none
  std::vector<Stencil<2>> diagonals;  ///< edges (low, high) that only triangulating a polygon made, sorted
  std::vector<std::string> repairs;   ///< what a reader mended, one sentence each ("dropped 2 triangles …")

  std::shared_ptr<const Polygons> polygons;  ///< what the triangles were cut from; null: they are all there
                                             ///< is. Whoever adds or removes triangles sets it to null
  std::vector<int> polygon_of;               ///< one a triangle, if there are polygons
  std::vector<Stencil<3>> triangle_uv;  ///< indices into polygons->uv, or Polygons::kNone, where a vertex has
                                        ///< several texture coordinates; else empty

  /// Columns of `positions`.
  int vertex_count() const { return static_cast<int>(positions.cols()); }
  /// Texture coordinates of the corners of a triangle, where there are any.
  std::array<Vec2, 3> uv_of(int triangle) const;
};

/// Per-vertex normals, area weighted, unit length (zero where a vertex has no area). 3×n.
Points vertex_normals(const Points& positions, const std::vector<Stencil<3>>& triangles);

/// Area of one triangle [m²].
double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// Visits every face of a cloth as its corners: (the vertices of the mesh, in its own numbers, first corner
/// in its polygons or -1 where it has none).
template <class Visit>
void for_each_face(const Model& model, const WrittenMesh& mesh, const Visit& visit) {
  std::vector<int> corners;
  if (!mesh.polygons) {
    for (int t = mesh.first_triangle; t < mesh.first_triangle + mesh.triangle_count; ++t) {
      const Stencil<3> triangle = user_triangle(model, t);
      corners.assign(triangle.begin(), triangle.end());
      for (int& v : corners) v -= mesh.first_vertex;
      visit(corners, -1);
    }
    return;
  }
  const Polygons& polygons = *mesh.polygons;
  for (int p = 0; p < polygons.count(); ++p) {
    const int begin = polygons.begin_of(p);
    corners.assign(polygons.corners.begin() + begin, polygons.corners.begin() + polygons.end[p]);
    visit(corners, begin);
  }
}

/// The texture coordinate of a vertex of a cloth at a corner of its polygons; -1: it has none.
inline Vec2 uv_at(const WrittenMesh& mesh, int vertex, int corner) {
  if (corner >= 0 && !mesh.polygons->corner_uv.empty())
    if (const int own = mesh.polygons->corner_uv[corner]; own != Polygons::kNone)
      return mesh.polygons->uv[own];
  return mesh.uv.empty() ? Vec2(0, 0) : mesh.uv[vertex];
}

/// Whether some vertex has several texture coordinates: islands of the texture meet there.
inline bool has_seams(const WrittenMesh& mesh) {
  if (!mesh.polygons || mesh.uv.empty()) return false;
  const std::vector<int>& corners = mesh.polygons->corners;
  for (int c = 0; c < std::ssize(corners); ++c)
    if (uv_at(mesh, corners[c], c) != mesh.uv[corners[c]]) return true;
  return false;
}

}  // namespace muslin

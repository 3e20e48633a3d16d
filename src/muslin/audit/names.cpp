#include "muslin/audit/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "muslin/audit/bodies.h"
#include "muslin/audit/box_grid.h"

namespace muslin {

namespace {

std::string of_cloth(const Model& model, int vertex) {
  if (model.cloths.size() > 1)
    for (const ClothRange& cloth : model.cloths)
      if (vertex >= cloth.first_vertex && vertex < cloth.first_vertex + cloth.vertex_count)
        return fmt::format(" of \"{}\"", cloth.name);
  return "";
}

std::string owner(const Model& model, const UserElement& element, int vertex) {
  return element.collider ? fmt::format(" of collider \"{}\"", element.collider->name)
                          : of_cloth(model, vertex);
}

std::string edge_name(const Model& model, const Stencil<2>& edge) {
  const UserElement a = user_vertex(model, edge[0]), b = user_vertex(model, edge[1]);
  const auto [low, high] = std::minmax(a.number, b.number);
  return fmt::format("edge {}-{}{}", low, high, owner(model, a, low));
}

}  // namespace

std::string vertex_name(const Model& model, int vertex) {
  const UserElement found = user_vertex(model, vertex);
  return fmt::format("vertex {}{}", found.number, owner(model, found, vertex));
}

std::string triangle_name(const Model& model, int triangle) {
  const UserElement found = user_triangle_of(model, triangle);
  const auto [a, b, c] = vertices_of(model, found);
  return fmt::format("triangle {} (vertices {}, {}, {}){}", found.number, a, b, c, owner(model, found, a));
}

std::string pair_name(const Model& model, const Surface& surface, const ElementPair& pair) {
  if (pair.kind == PairOf::vertex_triangle)
    return vertex_name(model, pair.first) + " and " + triangle_name(model, pair.second);
  return edge_name(model, surface.edges[pair.first]) + " and " + edge_name(model, surface.edges[pair.second]);
}

std::string place_name(const Vec3& place) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", place.x(), place.y(), place.z());
}

Vec3 meeting_place(const Points& positions, const Stencil<3>& a, const Stencil<3>& b) {
  const Extent first = box_of(positions, a), second = box_of(positions, b);
  return (first.low.cwiseMax(second.low) + first.high.cwiseMin(second.high)) / 2;
}

}  // namespace muslin

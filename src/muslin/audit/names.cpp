#include "muslin/audit/names.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string edge_name(const Model& model, const Stencil<2>& edge) {
  const auto [low, high] =
      std::minmax({model.vertex_numbers.to_user(edge[0]), model.vertex_numbers.to_user(edge[1])});
  return fmt::format("edge {}-{}{}", low, high, of_cloth(model, low));
}

}  // namespace

std::string vertex_name(const Model& model, int vertex) {
  return fmt::format("vertex {}{}", model.vertex_numbers.to_user(vertex), of_cloth(model, vertex));
}

std::string triangle_name(const Model& model, int triangle) {
  const int number = model.triangle_numbers.to_user(triangle);
  const auto [a, b, c] = user_triangle(model, number);
  return fmt::format("triangle {} (vertices {}, {}, {}){}", number, a, b, c, of_cloth(model, a));
}

std::string pair_name(const Model& model, const Surface& surface, const ElementPair& pair) {
  if (pair.kind == Elements::vertex_triangle)
    return vertex_name(model, pair.first) + " and " + triangle_name(model, pair.second);
  return edge_name(model, surface.edges[pair.first]) + " and " + edge_name(model, surface.edges[pair.second]);
}

std::string place_name(const Vec3& place) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", place.x(), place.y(), place.z());
}

Vec3 meeting_place(const Points& positions, const Stencil<3>& a, const Stencil<3>& b) {
  const Box first = box_of(positions, a), second = box_of(positions, b);
  return (first.low.cwiseMax(second.low) + first.high.cwiseMin(second.high)) / 2;
}

}  // namespace muslin

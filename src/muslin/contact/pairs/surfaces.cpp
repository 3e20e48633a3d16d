#include "muslin/contact/pairs/surfaces.h"

#include <algorithm>

namespace muslin {

namespace {

// [m] between the three vertices of a plane: the farther apart they are, the better they tell how it turns.
constexpr double kPlaneFrame = 1000;

/// The origin, and a point on each axis.
Points axes(double size) {
  Points points = Points::Zero(3, 4);
  points.rightCols(3) = size * Mat3::Identity();
  return points;
}

}  // namespace

int Surfaces::add_vertices(const Points& places, double half_thickness_of_piece, const Piece& description) {
  const int first = vertex_count(), count = static_cast<int>(places.cols());
  rest.conservativeResize(3, first + count);
  rest.rightCols(count) = places;
  half_thickness.conservativeResize(first + count);
  half_thickness.tail(count).setConstant(half_thickness_of_piece);
  piece.resize(first + count, static_cast<int>(pieces.size()));
  moves.resize(first + count, description.body ? 0 : 1);
  pieces.push_back(description);
  return first;
}

int Surfaces::add(const Mesh& mesh, double half_thickness_of_piece, const Piece& description) {
  const Topology topology = build_topology(mesh.vertex_count(), mesh.triangles, "contact");
  const int first = add_vertices(mesh.positions, half_thickness_of_piece, description);
  for (int v = first; v < vertex_count(); ++v) points.push_back({v});
  for (const auto& [a, b, c] : mesh.triangles) triangles.push_back({first + a, first + b, first + c});
  for (const Stencil<2>& edge : topology.edges) {
    const bool flat =
        description.body && std::binary_search(mesh.diagonals.begin(), mesh.diagonals.end(), edge);
    if (!flat) edges.push_back({first + edge[0], first + edge[1]});
  }
  return first;
}

int Surfaces::add_ball(double radius, double half_thickness_of_piece, Piece description) {
  description.inset = radius;
  description.frame = vertex_count();
  const int centre = add_vertices(axes(radius), half_thickness_of_piece, description);
  points.push_back({centre});
  triangles.push_back({centre, centre, centre});
  return centre;
}

int Surfaces::add_capsule(double radius, double length, double half_thickness_of_piece, Piece description) {
  if (length == 0) return add_ball(radius, half_thickness_of_piece, description);
  description.inset = radius;
  description.frame = vertex_count();
  Points places(3, 6);
  places << axes(std::max(radius, length / 2)), -length / 2 * Vec3::UnitY(), length / 2 * Vec3::UnitY();
  const int first = add_vertices(places, half_thickness_of_piece, description), a = first + 4, b = first + 5;
  points.insert(points.end(), {{a}, {b}});
  edges.push_back({a, b});
  triangles.push_back({a, b, b});
  return first;
}

int Surfaces::add_plane(double half_thickness_of_piece, const Piece& description) {
  Points places = Points::Zero(3, 3);
  places.col(1) = kPlaneFrame * Vec3::UnitZ();
  places.col(2) = kPlaneFrame * Vec3::UnitX();
  const int first = add_vertices(places, half_thickness_of_piece, description);
  planes.push_back({first, first + 1, first + 2});
  return first;
}

}  // namespace muslin

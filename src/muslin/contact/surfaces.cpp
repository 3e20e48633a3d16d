#include "muslin/contact/surfaces.h"

namespace muslin {

int Surfaces::add(const Mesh& mesh, double half_thickness_of_piece, const Piece& description) {
  const int first = vertex_count(), count = mesh.vertex_count();
  const Topology topology = build_topology(count, mesh.triangles, "contact");
  rest.conservativeResize(3, first + count);
  rest.rightCols(count) = mesh.positions;
  half_thickness.conservativeResize(first + count);
  half_thickness.tail(count).setConstant(half_thickness_of_piece);
  for (const auto& [a, b, c] : mesh.triangles) triangles.push_back({first + a, first + b, first + c});
  for (const auto& [a, b] : topology.edges) edges.push_back({first + a, first + b});
  piece.resize(first + count, static_cast<int>(pieces.size()));
  moves.resize(first + count, description.body ? 0 : 1);
  pieces.push_back(description);
  return first;
}

}  // namespace muslin

#include "muslin/contact/surfaces.h"

#include <algorithm>

namespace muslin {

int Surfaces::add(const Mesh& mesh, double half_thickness_of_piece, const Piece& description) {
  const int first = vertex_count(), count = mesh.vertex_count();
  const Topology topology = build_topology(count, mesh.triangles, "contact");
  rest.conservativeResize(3, first + count);
  rest.rightCols(count) = mesh.positions;
  half_thickness.conservativeResize(first + count);
  half_thickness.tail(count).setConstant(half_thickness_of_piece);
  for (const auto& [a, b, c] : mesh.triangles) triangles.push_back({first + a, first + b, first + c});
  for (const Stencil<2>& edge : topology.edges) {
    const bool flat =
        description.body && std::binary_search(mesh.diagonals.begin(), mesh.diagonals.end(), edge);
    if (!flat) edges.push_back({first + edge[0], first + edge[1]});
  }
  piece.resize(first + count, static_cast<int>(pieces.size()));
  moves.resize(first + count, description.body ? 0 : 1);
  pieces.push_back(description);
  return first;
}

}  // namespace muslin

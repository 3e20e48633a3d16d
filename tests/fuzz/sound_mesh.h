#pragma once
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "muslin/core/check.h"
#include "muslin/geometry/mesh.h"
#include "muslin/geometry/topology.h"

/// Aborts unless the mesh is one that all else can rely on.
inline void require_sound(const muslin::Mesh& mesh) {
  const auto require = [](bool condition) {
    if (!condition) std::abort();
  };
  require(mesh.positions.allFinite());
  require(mesh.uv.empty() || static_cast<int>(mesh.uv.size()) == mesh.vertex_count());
  require(!mesh.triangles.empty());
  require(std::is_sorted(mesh.diagonals.begin(), mesh.diagonals.end()));
  try {
    const auto edges = muslin::build_topology(mesh.vertex_count(), mesh.triangles, "mesh").edges;
    require(std::includes(edges.begin(), edges.end(), mesh.diagonals.begin(), mesh.diagonals.end()));
  } catch (const muslin::Error& error) {
    // Everything but edges of three triangles is the reader's business.
    require(std::string_view(error.what()).find(": edge ") != std::string_view::npos);
  }
}

/// Aborts unless what a reader makes of bytes is a sound mesh or an Error(invalid).
template <class Read>
void require_mesh_or_refusal(const Read& read) {
  try {
    require_sound(read());
  } catch (const muslin::Error& error) {
    if (error.kind() != muslin::ErrorKind::invalid) std::abort();
  }
}

// Feeds the mesh readers arbitrary bytes: they must give a sound mesh or throw Error(invalid), never more.
// Seeds: tests/refuse/meshes.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "muslin/core/check.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const muslin::Mesh& mesh) {
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check(bytes.substr(0, 3) == "ply" ? muslin::parse_ply(bytes, "mesh") : muslin::parse_obj(bytes, "mesh"));
  } catch (const muslin::Error& error) {
    require(error.kind() == muslin::ErrorKind::invalid);
  }
  return 0;
}

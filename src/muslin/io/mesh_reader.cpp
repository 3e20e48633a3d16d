#include "muslin/io/mesh_reader.h"

#include <fmt/format.h>

#include <filesystem>

#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/io/file.h"
#include "muslin/io/gltf_reader.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"
#include "muslin/io/scan.h"
#include "muslin/io/usd_reader.h"
#include "muslin/model/mesh_files.h"

namespace muslin {

namespace {

// A large file that is none is not read as a whole.
Mesh read_ply(const std::string& path, PolygonsAs polygons_as) {
  constexpr std::size_t kFirstLine = 64;
  const std::string beginning = read_beginning(path, kFirstLine);
  std::string_view line = std::string_view(beginning).substr(0, beginning.find_first_of("\r\n"));
  return take_word(line) == "ply" ? parse_ply(read_file(path), path, polygons_as)
                                  : parse_ply(beginning, path);
}

// Files that a .gltf names lie beside it or below.
ReadNeighbour neighbours_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return [=](const std::string& file) {
    if (!lies_below(file, folder))
      throw Error(ErrorKind::invalid,
                  fmt::format("must lie below the folder of {}, got {}", path, quote(file)));
    return read_file((std::filesystem::path(folder) / file).string());
  };
}

Mesh read_gltf(const std::string& path) { return parse_gltf(read_file(path), path, neighbours_of(path)); }

}  // namespace

Mesh read_mesh(const std::string& path, const ReadProgress& progress, PolygonsAs polygons_as) {
  const std::string extension = extension_of(path);
  if (extension == ".obj") return parse_obj(read_file(path), path, progress, polygons_as);
  if (extension == ".ply") return read_ply(path, polygons_as);
  if (extension == ".glb" || extension == ".gltf") return read_gltf(path);
  if (extension == ".usda" || extension == ".usd") return parse_usd(read_file(path), path, polygons_as);
  throw Error(ErrorKind::invalid, fmt::format("{}: must be {}, got {}", path, kMeshFile, quote(extension)));
}

std::vector<Points> read_animation(const std::string& path, const std::optional<std::string>& animation,
                                   double interval) {
  return parse_gltf_animation(read_file(path), path, neighbours_of(path), animation, interval);
}

}  // namespace muslin

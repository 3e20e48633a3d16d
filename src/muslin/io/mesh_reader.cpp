#include "muslin/io/mesh_reader.h"

#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/io/file.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"
#include "muslin/io/scan.h"

namespace muslin {

namespace {

// A large file that is none is not read as a whole.
Mesh read_ply(const std::string& path) {
  constexpr std::size_t kFirstLine = 64;
  const std::string beginning = read_beginning(path, kFirstLine);
  std::string_view line = std::string_view(beginning).substr(0, beginning.find_first_of("\r\n"));
  return take_word(line) == "ply" ? parse_ply(read_file(path), path) : parse_ply(beginning, path);
}

}  // namespace

Mesh read_mesh(const std::string& path, const ReadProgress& progress) {
  const std::string extension = extension_of(path);
  if (extension == ".obj") return parse_obj(read_file(path), path, progress);
  if (extension == ".ply") return read_ply(path);
  throw Error(ErrorKind::invalid, path + ": a mesh file must end in .obj or .ply, got " + quote(extension));
}

}  // namespace muslin

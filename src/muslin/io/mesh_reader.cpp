#include "muslin/io/mesh_reader.h"

#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/io/file.h"
#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"
#include "muslin/io/scan.h"

namespace muslin {

Mesh read_mesh(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == ".obj") return parse_obj(read_file(path), path);
  if (extension == ".ply") return parse_ply(read_file(path), path);
  throw Error(ErrorKind::invalid, path + ": a mesh file must end in .obj or .ply, got " + quote(extension));
}

}  // namespace muslin

// Feeds the readers of OBJ and PLY arbitrary bytes: they must give a sound mesh or throw Error(invalid),
// never more. Seeds: tests/refuse/meshes.
#include <string_view>

#include "muslin/io/obj_reader.h"
#include "muslin/io/ply_reader.h"
#include "sound_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  require_mesh_or_refusal([&] {
    return bytes.substr(0, 3) == "ply" ? muslin::parse_ply(bytes, "mesh") : muslin::parse_obj(bytes, "mesh");
  });
  return 0;
}

// The reader of glTF, with arbitrary bytes as the file, and as the JSON of a file whose header fits: few
// bytes are GLB by chance. Seeds: tests/refuse/meshes.
#include <cstdint>
#include <string>
#include <string_view>

#include "muslin/io/bytes.h"
#include "muslin/io/gltf_reader.h"
#include "sound_mesh.h"

namespace {

/// JSON and bytes, parted by the first zero, as a GLB file.
std::string as_glb(std::string_view bytes) {
  const std::string_view json = bytes.substr(0, bytes.find('\0'));
  const std::string_view rest = bytes.substr(json.size());
  std::string file("glTF");
  const std::size_t sizes[] = {2, 28 + json.size() + rest.size(), json.size()};
  for (const std::size_t number : sizes) muslin::append_little(file, static_cast<std::uint32_t>(number));
  file.append("JSON").append(json);
  muslin::append_little(file, static_cast<std::uint32_t>(rest.size()));
  return file.append("BIN\0", 4).append(rest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  require_mesh_or_refusal([&] { return muslin::parse_gltf(bytes, "mesh"); });
  const std::string glb = as_glb(bytes);
  require_mesh_or_refusal([&] { return muslin::parse_gltf(glb, "mesh"); });
  return 0;
}

// The reader of USD's text, with arbitrary bytes, and with them behind the line that every file begins with.
// Seeds: tests/refuse/meshes.
#include <string>
#include <string_view>

#include "muslin/io/usd_reader.h"
#include "sound_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  require_mesh_or_refusal([&] { return muslin::parse_usd(bytes, "mesh"); });
  const std::string headed = std::string("#usda 1.0\n").append(bytes);
  require_mesh_or_refusal([&] { return muslin::parse_usd(headed, "mesh"); });
  return 0;
}

// Any text is either a scene, which then survives being written and read again, or an Error; of the kind
// `file` only if it names a mesh.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "muslin/core/check.h"
#include "muslin/io/scene_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  muslin::Scene scene;
  try {
    scene = muslin::parse_scene(text, "fuzz.json", ".");
  } catch (const muslin::Error& error) {
    const bool names_mesh = text.find("mesh") != std::string::npos || text.find('\\') != std::string::npos;
    if (error.kind() != muslin::ErrorKind::invalid && !names_mesh) std::abort();
    return 0;
  }
  const std::string written = muslin::write_scene(scene);
  if (muslin::write_scene(muslin::parse_scene(written, "again.json", ".")) != written) std::abort();
  return 0;
}

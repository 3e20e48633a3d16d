// Any bytes are either a mesh whose triangles name its vertices, or an Error(invalid).
#include "muslin/io/obj_reader.h"

#include <cstdint>
#include <cstdlib>

#include "muslin/core/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    const muslin::Mesh mesh = muslin::parse_obj({reinterpret_cast<const char*>(bytes), size}, "fuzz.obj");
    for (const auto& triangle : mesh.triangles)
      for (const int v : triangle)
        if (v < 0 || v >= mesh.vertex_count()) std::abort();
    if (!mesh.positions.allFinite()) std::abort();
  } catch (const muslin::Error& error) {
    if (error.kind() != muslin::ErrorKind::invalid) std::abort();
  }
  return 0;
}

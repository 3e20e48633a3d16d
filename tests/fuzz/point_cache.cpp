// PC2: arbitrary bytes are a point cache of the length that they say, or an Error.
#include "foreign_folder.h"
#include "muslin/io/mesh_frames.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace muslin;
  static const ForeignFolder folder;
  folder.fill(text_of(bytes, size), {"run.pc2"});
  constexpr int kPoints = 3;
  Mesh mesh;
  mesh.positions = Points::Zero(3, kPoints);
  mesh.triangles = {{0, 1, 2}};
  works([&] {
    const int samples = point_cache_samples(folder.path("run.pc2"));
    if (samples < 0) std::abort();
    for (const int sample : {-1, 0, samples - 1, samples})
      works([&] {
        const Points points = read_point_cache_sample(folder.path("run.pc2"), sample, kPoints);
        if (points.cols() != kPoints || sample < 0 || sample >= samples) std::abort();
      });
  });
  works([&] {
    MeshFrames frames;
    frames.file = "run.pc2";
    for (const Points& shape : read_mesh_frames(folder.path(), frames, mesh))
      if (shape.cols() != kPoints || !shape.allFinite()) std::abort();
  });
  return 0;
}

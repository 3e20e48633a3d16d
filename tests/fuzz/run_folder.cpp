// The folder of a run: run.json, a frame, a point cache and a saved state from arbitrary bytes, cut at
// '\x1e'. All that reads folders either takes them or throws Error; a record that was taken is written and
// read again to the same text.
#include "muslin/io/run_folder.h"

#include "foreign_folder.h"
#include "muslin/io/file.h"
#include "muslin/io/run_record.h"
#include "muslin/io/state_file.h"

namespace {

using namespace muslin;

/// Whether the model of a scene is small enough to be built thousands of times.
bool is_small(const Scene& scene) {
  long vertices = 0;
  for (const Cloth& cloth : scene.cloths) {
    if (cloth.grid) vertices += long{cloth.grid->points[0]} * cloth.grid->points[1];
    if (cloth.mesh && cloth.mesh->mesh) vertices += cloth.mesh->mesh->vertex_count();
  }
  return vertices <= 2000 && scene.cloths.size() <= 20 && scene.colliders.size() <= 20;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const ForeignFolder folder;
  folder.fill(text_of(bytes, size), {"run.json", "frame_0000.obj", "run.pc2", "checkpoint_0000.state"});
  files_of_run(folder.path());  // takes what it understands
  works([&] {
    const RunFolder run = read_run_folder(folder.path());
    works([&] { count_frames(run); });
    works([&] { changed_files(run); });
    if (!is_small(run.scene)) return;
    const Model model = build_model(run.scene);
    for (int frame = 0; frame < 3; ++frame)
      if (run.has(frame)) works([&] { read_frame(run, frame, model); });
  });
  works([&] {
    const std::string text = read_file(folder.path("run.json"));
    const std::string once = encode_run(decode_run(text, "run.json"));
    if (encode_run(decode_run(once, "again")) != once) std::abort();
  });
  works([&] { decode_saved_run(read_file(folder.path("checkpoint_0000.state")), "state"); });
  return 0;
}

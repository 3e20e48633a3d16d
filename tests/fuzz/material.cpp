// A library of materials, and a picture that it may name "p", from arbitrary bytes, cut at '\x1e': colours of
// vertices or words about what cannot be read, never an exception. Nothing outside the folder is read.
#include "foreign_folder.h"
#include "muslin/io/scene_json.h"
#include "muslin/render/materials.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace muslin;
  static const ForeignFolder folder;
  folder.fill(text_of(bytes, size), {"m.mtl", "p"});
  std::ofstream(folder.path("m.obj")) << "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\n"
                                         "usemtl a\nf 1/1 3/3 2/2\n";
  static const Scene scene =
      parse_scene(R"({"cloths": [{"mesh": {"file": "m.obj"}}]})", "fuzz.json", folder.path());
  static const Model model = build_model(scene);
  const Paint paint = read_paint(scene, model);
  if (!paint.cloth) return 0;
  if (std::ssize(*paint.cloth) != model.vertex_count()) std::abort();
  for (const Eigen::Vector3f& colour : *paint.cloth)
    if (!(colour.maxCoeff() <= 1)) std::abort();
  return 0;
}

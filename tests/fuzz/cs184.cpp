// A scene of CS184's, whose `cloth` the bytes say, is either converted to one that survives being written and
// read again, or an Error.
//
#include "foreign_folder.h"
#include "muslin/io/scene_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace muslin;
  // What it is told apart by, so that nearly every input comes to the converter
  const std::string text = R"({"cloth": )" + std::string(text_of(bytes, size)) + '}';
  Scene scene;
  if (!works([&] { scene = parse_scene(text, "fuzz.json", "."); })) return 0;
  const std::string written = write_scene(scene);
  if (write_scene(parse_scene(written, "again.json", ".")) != written) std::abort();
  return 0;
}

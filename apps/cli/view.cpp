#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.h"
#include "interrupt.h"
#include "look_option.h"
#include "muslin/audit/start.h"
#include "muslin/io/viewer_variant.h"
#include "muslin/muslin.h"
#include "streams.h"
#include "viewer/viewer.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

const char* const kViewHelp = R"(Look at cloth in a window, and touch it.

Examples:
  muslin view                                     choose from the shipped scenes
  muslin view sphere_drape                        drag the ball, pull the cloth, press F1 for all keys
  muslin view my_scene.json                       edit it beside the window: every save shows at once
  muslin view hang --solvers chebyshev,xpbd       side by side, and how far each is from the exact solution
  muslin view cs184_sphere --shaders my_shaders   your own shaders (CS184's names): every save shows at once
)";

std::vector<std::string> scenes_in(const fs::path& folder) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<SceneGroup> scenes_to_choose_from() {
  const fs::path shipped = shipped_scenes();
  return {{"", scenes_in(shipped)},
          {"Validation: what has an answer on paper", scenes_in(shipped / "validation")},
          {"Torture: what breaks contact elsewhere", scenes_in(shipped / "torture"), false}};
}

void view(ViewerOptions options, const std::string& size) {
  int width = 0, height = 0, length = 0;
  if (std::sscanf(size.c_str(), "%5dx%5d%n", &width, &height, &length) != 2 ||
      length != static_cast<int>(size.size()) || width < 200 || height < 150)
    throw CLI::ValidationError("--size", fmt::format("must be WxH, 200x150 at least, got '{}'", size));
  if (options.solvers.size() > 4) throw CLI::ValidationError("--solvers", "shows four at most side by side");
  if (!fs::is_directory(options.pictures))
    throw CLI::ValidationError("--pictures", options.pictures + " is not a folder");
  options.width = width;
  options.height = height;
  if (!options.scene.empty()) {
    options.scene = find_scene(options.scene);
    // What is wrong with it is said before a window opens.
    const Scene scene = read_scene(
        options.scene, options.as_written ? std::vector<Override>() : read_viewer_variant(options.scene));
    const Model model = build_model(scene);
    for (const std::string& warning :
         check_start(model, initial_state(model).positions, keeps_out(scene.solver)))
      say("warning: {}\n", warning);
  }
  options.gallery = scenes_to_choose_from();
  options.stop = is_interrupted;
  watch_for_interrupts();
  run_viewer(options);
  if (is_interrupted()) throw Exit{kInterrupted};
}

}  // namespace

void add_view_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("view", kViewHelp);
  const auto options = std::make_shared<ViewerOptions>();
  const auto size = std::make_shared<std::string>("1280x800");
  command->add_option("scene", options->scene, "scene file or shipped scene (default: a gallery)")
      ->type_name("SCENE");
  command
      ->add_option("--solvers", options->solvers,
                   "two to four named methods side by side, or one in place of the scene's")
      ->delimiter(',')
      ->check(known_method)
      ->type_name("A,B,…");
  const auto look = std::make_shared<std::vector<std::string>>();
  const auto shaders = std::make_shared<std::string>();
  command->add_option("--look", *look, "how it looks: words from muslin list looks")
      ->delimiter(',')
      ->type_name("WORD,…");
  command
      ->add_option("--shaders", *shaders,
                   "folder of GLSL files to draw with, or one NAME.frag in it (docs/looks.md)")
      ->type_name("FOLDER");
  command->add_flag("--as-written", options->as_written,
                    "show scenes as a run takes them, not their lighter variant for the viewer");
  command->add_flag("--paused", options->paused, "begin without playing");
  command->add_option("--size", *size, "size of the window")->type_name("WxH")->capture_default_str();
  command
      ->add_option(
          "--scale", options->scale,
          "how large letters and window are, 2 on a screen with twice as many pixels (default: as the "
          "screen says)")
      ->type_name("FACTOR")
      ->check(between(0.5, 4));
  command->add_option("--pictures", options->pictures, "folder for screenshots and films")
      ->type_name("FOLDER")
      ->capture_default_str();
  command->add_flag("--log", options->log, "say every action and frame on stderr, a line each");
  command->callback([=] {
    if (!shaders->empty()) look->push_back("shaders=" + *shaders);
    options->look = look_option(*look);
    view(*options, *size);
  });
}

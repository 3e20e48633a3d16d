#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "commands.h"
#include "muslin/io/file.h"
#include "muslin/muslin.h"
#include "muslin/render/offscreen.h"
#include "muslin/render/renderer.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

const char* const kHelp = R"(Draw a picture of a scene or of the frames of a run.

Examples:
  muslin render sphere_drape --out drape.png                  simulate a shipped scene, draw the last frame
  muslin render flag --frame 30 --out flag.png                simulate 30 frames, draw the last
  muslin render frames/ --out last.png                        the last frame of a run
  muslin render frames/ --out pictures/                       every frame: pictures/frame_0000.png ...
  muslin render frames/ --camera 0,1,4,0,0.5,0 --size 1920x1080 --out wide.png
)";

struct Options {
  std::string source, out;
  std::optional<int> frame;
  std::string size = "960x720", camera;
  bool force = false;
};

/// What the options say about the picture: its size and, if given, its camera.
struct Framing {
  int width = 0, height = 0;
  std::optional<Camera> camera;

  View view(Stage stage, const Box& box) const {
    const Camera automatic = frame_all(box, static_cast<double>(width) / height);
    return {std::move(stage), camera.value_or(automatic), width, height};
  }
};

/// The numbers of "1,2,3"; empty unless there are `count` of them and nothing else.
std::vector<double> parse_numbers(const std::string& text, char separator, size_t count) {
  std::istringstream in(text);
  in.imbue(std::locale::classic());
  std::vector<double> numbers(count);
  for (size_t i = 0; i < count; ++i) {
    if (i > 0 && in.get() != separator) return {};
    if (!(in >> numbers[i])) return {};
  }
  return in.peek() == EOF ? numbers : std::vector<double>{};
}

Framing parse_framing(const Options& options) {
  const std::vector<double> size = parse_numbers(options.size, 'x', 2);
  const auto is_size = [](double n) { return n >= 1 && n <= 16384 && n == std::floor(n); };
  if (size.empty() || !is_size(size[0]) || !is_size(size[1]))
    throw CLI::ValidationError("--size", fmt::format("must be WxH [pixels], got '{}'", options.size));
  Framing framing{static_cast<int>(size[0]), static_cast<int>(size[1]), {}};
  if (!options.camera.empty()) {
    const std::vector<double> c = parse_numbers(options.camera, ',', 6);
    if (c.empty())
      throw CLI::ValidationError(
          "--camera", fmt::format("must be six numbers ex,ey,ez,tx,ty,tz [m], got '{}'", options.camera));
    framing.camera = Camera{{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
    if ((framing.camera->eye - framing.camera->target).norm() < 1e-9)
      throw CLI::ValidationError("--camera", "eye and target must differ");
  }
  return framing;
}

// --- the frames of a run -----------------------------------------------------------------------------

/// Colours for a mesh that has forgotten its cloths: parts that no triangle joins, in order of their first
/// vertex.
std::vector<int> connected_parts(const Mesh& mesh) {
  std::vector<int> root(mesh.vertex_count());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const Stencil<3>& t : mesh.triangles)
    for (int k = 1; k < 3; ++k) {
      const int a = find(t[0]), b = find(t[k]);
      root[std::max(a, b)] = std::min(a, b);
    }
  std::vector<int> part(mesh.vertex_count());
  int parts = 0;
  for (int v = 0; v < mesh.vertex_count(); ++v) part[v] = find(v) == v ? parts++ : part[find(v)];
  return part;
}

/// A folder that `muslin run` wrote.
class Frames {
 public:
  explicit Frames(const std::string& folder) {
    const std::string run = (fs::path(folder) / "run.json").string();
    const auto json = nlohmann::json::parse(read_file(run), nullptr, false);
    if (!json.is_object() || !json.contains("scene"))
      throw Error(ErrorKind::invalid, run + ": must be an object with the member 'scene'");
    const auto& scene = json["scene"];
    scene_ = parse_scene(scene.is_string() ? scene.get<std::string>() : scene.dump(), run, folder);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) add(entry.path());
    if (files_.empty())
      throw Error(ErrorKind::file, folder + ": must hold frame_0000.obj or frame_0000.ply, found no frame");
  }

  const std::map<int, std::string>& files() const { return files_; }

  Stage stage(int frame) const {
    const auto file = files_.find(frame);
    if (file == files_.end())
      throw Error(ErrorKind::invalid, fmt::format("frame {}: must be one of {} to {}", frame,
                                                  files_.begin()->first, files_.rbegin()->first));
    const Mesh mesh = read_mesh(file->second);
    const std::vector<int> piece = scene_.cloths.size() > 1 ? connected_parts(mesh) : std::vector<int>{};
    const double time = frame * scene_.frame_time;
    return {mesh.positions, mesh.triangles, mesh.uv, piece, pose_all(scene_.colliders, time), {}};
  }

 private:
  void add(const fs::path& path) {
    const std::string name = path.stem().string(), extension = path.extension().string();
    int frame = 0, length = 0;
    if (std::sscanf(name.c_str(), "frame_%9d%n", &frame, &length) == 1 && frame >= 0 &&
        length == static_cast<int>(name.size()) && (extension == ".obj" || extension == ".ply"))
      files_[frame] = path.string();
  }

  Scene scene_;
  std::map<int, std::string> files_;
};

void draw_all(const Frames& frames, const Framing& framing, const Options& options) {
  Box box;  // one camera for all frames, or a film would jump
  for (const auto& [frame, file] : frames.files()) box.extend(bounds(frames.stage(frame)));
  std::error_code error;
  fs::create_directories(options.out, error);
  if (error)
    throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", options.out, error.message()));
  Renderer renderer;
  for (const auto& [frame, file] : frames.files()) {
    const std::string path = (fs::path(options.out) / fmt::format("frame_{:04d}.png", frame)).string();
    write_png(path, draw_image(renderer, framing.view(frames.stage(frame), box)), options.force);
  }
}

// --- the command -------------------------------------------------------------------------------------

Stage simulate(const Options& options) {
  const Scene scene = read_scene(find_scene(options.source));
  Simulation simulation(scene);
  const int last = options.frame.value_or(scene.frames);
  while (simulation.frame() < last) {
    if (simulation.step().step.status == Status::diverged) {
      fmt::print(stderr, "{}: diverged in frame {}\n", options.source, simulation.frame());
      throw Exit{kDiverged};
    }
  }
  return make_stage(simulation.model(), simulation.state());
}

void render(const Options& options) {
  const Framing framing = parse_framing(options);
  const bool frames_given = fs::is_directory(options.source);
  const bool one_picture = fs::path(options.out).extension() == ".png";
  if (!one_picture && !frames_given)
    throw CLI::ValidationError("--out", "must end in .png, unless frames of a run are drawn");
  if (!one_picture && options.frame)
    throw CLI::ValidationError("--frame", "draws one picture: --out must end in .png");
  if (one_picture && !options.force && fs::exists(options.out))  // before the work, not after it
    throw Error(ErrorKind::file, options.out + ": exists already; --force overwrites it");

  const OffscreenContext context;
  if (!one_picture) return draw_all(Frames(options.source), framing, options);
  Stage stage;
  if (frames_given) {
    const Frames frames(options.source);
    stage = frames.stage(options.frame.value_or(frames.files().rbegin()->first));
  } else {
    stage = simulate(options);
  }
  const Box box = bounds(stage);
  Renderer renderer;
  write_png(options.out, draw_image(renderer, framing.view(std::move(stage), box)), options.force);
}

}  // namespace

void add_render_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", kHelp);
  const auto options = std::make_shared<Options>();
  command->add_option("source", options->source, "scene file, or folder of frames written by muslin run")
      ->required()
      ->type_name("SCENE|FRAMES");
  command->add_option("-o,--out", options->out, "PNG file, or folder for a picture of every frame")
      ->required()
      ->type_name("FILE.png|FOLDER");
  command->add_option("--frame", options->frame, "frame to draw (default: the last)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--size", options->size, "size of the picture [pixels]")
      ->type_name("WxH")
      ->capture_default_str();
  command->add_option("--camera", options->camera, "eye and target [m] (default: shows everything)")
      ->type_name("EX,EY,EZ,TX,TY,TZ");
  command->add_flag("--force", options->force, "overwrite pictures");
  command->callback([options] { render(*options); });
}

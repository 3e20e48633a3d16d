#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <sstream>

#include "commands.h"
#include "film_plan.h"
#include "interrupt.h"
#include "look_option.h"
#include "muslin/muslin.h"
#include "muslin/render/legend.h"
#include "muslin/render/materials.h"
#include "muslin/render/offscreen.h"
#include "muslin/render/renderer.h"
#include "muslin/render/upright.h"
#include "muslin/render/video.h"
#include "picture_sink.h"
#include "picture_source.h"
#include "progress.h"
#include "streams.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

const char* const kRenderHelp =
    R"(Draw pictures or a film of a scene or of the frames of a run. No display is needed.

Examples:
  muslin render sphere_drape --out drape.png                  simulate a shipped scene, draw the last frame
  muslin render flag --frame 30 --out flag.png                simulate 30 frames, draw the last
  muslin render flag --out flag.mp4                           a film in real time; also .webm and .gif
  muslin render frames/ --out last.png                        the last frame of a run
  muslin render frames/ --frames 30..90 --out pictures/       pictures/frame_0030.png ...
  muslin render sphere_drape --look strain,wireframe --out strain.png
  muslin render hang --solver newton --set cloths/0/grid/points=[32,32] --speed 0.25 --out slow.mp4
  muslin render frames/ --camera 0,1,4,0,0.5,0 --size 1920x1080 --out wide.png

All pictures of a film or folder have one camera that shows all of them, and one scale of colours. Ctrl-C keeps
the pictures, or finishes the film, drawn so far. A scene is simulated first; its frames wait in a temporary
file (TMPDIR). Films are made by the program ffmpeg.

Exit codes: 0 ok, 1 failed, 2 usage, 3 invalid scene or frame, 4 diverged, 5 file trouble, 130 interrupted.
)";

struct RenderArguments {
  std::string source, out, solver, frames;
  std::optional<int> frame;
  std::string size = "960x720", camera;
  std::vector<std::string> look, set;
  std::optional<double> fps;
  double speed = 1;
  int threads = 0;
  bool force = false, quiet = false, json = false;
};

// --- what was asked for ------------------------------------------------------------------------------

/// What the options say about the picture: its size and, if given, its camera.
struct Framing {
  int width = 0, height = 0;
  std::optional<Camera> camera;
};

/// First and last frame; absent: the first or last there is.
struct FrameRange {
  std::optional<int> first, last;
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

Framing parse_framing(const RenderArguments& options) {
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

/// The range of "30..90", "30..", "..90" or of --frame.
FrameRange parse_range(const RenderArguments& options) {
  if (options.frame) return {options.frame, options.frame};
  if (options.frames.empty()) return {};
  const auto number = [&](const std::string& digits) -> std::optional<int> {
    if (digits.empty()) return {};
    if (digits.size() > 8 || digits.find_first_not_of("0123456789") != std::string::npos)
      throw CLI::ValidationError("--frames", fmt::format("must be FIRST..LAST, got '{}'", options.frames));
    return std::stoi(digits);
  };
  const size_t dots = options.frames.find("..");
  if (dots == std::string::npos)
    throw CLI::ValidationError("--frames", fmt::format("must be FIRST..LAST, got '{}'", options.frames));
  const FrameRange range{number(options.frames.substr(0, dots)), number(options.frames.substr(dots + 2))};
  if (range.first && range.last && *range.first > *range.last)
    throw CLI::ValidationError("--frames", fmt::format("must not go back, got '{}'", options.frames));
  return range;
}

/// RenderArguments that contradict each other.
void check_options(const RenderArguments& options, SinkKind kind) {
  const auto refuse = [](const char* option, const char* what) { throw CLI::ValidationError(option, what); };
  if (kind == SinkKind::picture && !options.frames.empty())
    refuse("--frames", "draws several pictures: --out must be a folder or a film; --frame draws one");
  if (kind != SinkKind::picture && options.frame)
    refuse("--frame", "draws one picture: --out must end in .png; --frames FIRST..LAST draws several");
  if (kind != SinkKind::film && options.fps) refuse("--fps", "is for films");
  if (kind != SinkKind::film && options.speed != 1) refuse("--speed", "is for films");
  if (!fs::is_directory(options.source)) return;
  if (!options.solver.empty()) refuse("--solver", "is for scenes: these frames have been simulated already");
  if (!options.set.empty()) refuse("--set", "is for scenes: these frames have been simulated already");
}

std::unique_ptr<PictureSource> open_source(const RenderArguments& options, const FrameRange& range) {
  if (fs::is_directory(options.source)) return open_frames(options.source);
  return open_scene({options.source, {options.solver, {}, parse_overrides(options.set)}, range.last});
}

/// Those of the frames that are in the range. Throws Error(invalid) if its ends are not among them.
std::vector<int> chosen(const std::vector<int>& frames, const FrameRange& range) {
  for (const std::optional<int>& end : {range.first, range.last})
    if (end && !std::binary_search(frames.begin(), frames.end(), *end))
      throw Error(ErrorKind::invalid,
                  fmt::format("frame {}: must be one of {} to {}", *end, frames.front(), frames.back()));
  std::vector<int> inside;
  for (const int frame : frames)
    if (frame >= range.first.value_or(frame) && frame <= range.last.value_or(frame)) inside.push_back(frame);
  return inside;
}

std::unique_ptr<PictureSink> open_sink(const RenderArguments& options, SinkKind kind, const Framing& framing,
                                       const std::vector<int>& frames, double frame_time) {
  if (kind == SinkKind::picture) return make_picture(options.out, frames.back(), options.force);
  if (kind == SinkKind::folder) return make_folder(options.out, frames, options.force);
  const FilmPlan plan =
      plan_film(frames, frame_time, options.speed, options.fps, most_frames_per_second(options.out));
  return make_film_sink(options.out, plan, framing.width, framing.height, options.force);
}

// --- drawing -----------------------------------------------------------------------------------------

/// A state as pictures have it: what is up in the scene is up.
Stage upright_stage(const PictureSource& source, const State& state, const Look& look) {
  Stage stage = make_stage(source.model(), state, look);
  turn(upright(source.scene().gravity), stage);
  return stage;
}

/// What all pictures share, or a film would jump: the camera, the height of the floor, the scale of colours.
struct Setting {
  Camera camera;
  Look look;
  std::optional<double> ground;
};

Setting settle(const PictureSource& source, const Framing& framing, Look look) {
  Extent box;
  std::optional<double> low, high;
  if (look.ground)
    for (const int frame : source.frames())
      box.extend(bounds(upright_stage(source, source.state(frame), {})));
  const std::optional<double> ground = look.ground ? std::optional(box.min().y()) : std::nullopt;
  Outlines outlines;
  for (const int frame : source.frames()) {
    const State state = source.state(frame);
    Stage stage = upright_stage(source, state, {});
    stage.ground = ground;
    outlines.add(outline(stage));
    if (look.heat == Heat::none) continue;
    const HeatMap heat = measure_heat(source.model(), state, look);
    low = std::min(low.value_or(heat.low), heat.low);
    high = std::max(high.value_or(heat.high), heat.high);
  }
  look.heat_low = low;
  look.heat_high = high;
  const Camera automatic = frame_all(outlines.all(), static_cast<double>(framing.width) / framing.height,
                                     legend_strip(look, framing.width, framing.height));
  const auto own = [&](const Camera& camera) { return turned(upright(source.scene().gravity), camera); };
  return {framing.camera ? own(*framing.camera) : automatic, look, ground};
}

/// Gives the sink its pictures, until Ctrl-C; returns whether that came.
bool draw_all(const PictureSource& source, PictureSink& sink, const Framing& framing, const Look& look,
              bool quiet, bool json) {
  const Setting setting = settle(source, framing, look);
  const Paint paint = read_paint(source.scene(), source.model());
  for (const std::string& word : paint.words) say("warning: {}\n", word);
  Renderer renderer;
  const std::vector<int>& frames = source.frames();
  Countdown countdown("picture", static_cast<int>(frames.size()), quiet || frames.size() == 1);
  int done = 0;
  for (const int frame : frames) {
    View view{upright_stage(source, source.state(frame), setting.look), setting.camera, framing.width,
              framing.height, setting.look};
    view.stage.ground = setting.ground;
    put_on(paint, source.model(), view.stage);
    view.stage.marked.clear();  // dots are for hands
    sink.add(frame, draw_image(renderer, view));
    countdown.done(++done);
    if (json)
      print("{{\"type\":\"picture\",\"frame\":{},\"done\":{},\"of\":{}}}\n", frame, done, frames.size());
    if (is_interrupted()) break;
  }
  countdown.end();
  return done < static_cast<int>(frames.size());
}

void render(const RenderArguments& options) {
  // 1. What is wrong is said before the work, not after it.
  const Framing framing = parse_framing(options);
  const SinkKind kind = kind_of_sink(options.out);
  check_options(options, kind);
  const FrameRange range = parse_range(options);
  const Look look = look_option(options.look);
  set_threads(options.threads);
  const std::unique_ptr<PictureSource> source = open_source(options, range);
  const std::vector<int> frames = chosen(source->frames(), range);
  const OffscreenContext context;
  const auto sink = open_sink(options, kind, framing, frames, source->scene().frame_time);

  // 2. States, then pictures of them. Ctrl-C ends either; what there is by then is drawn or kept.
  watch_for_interrupts();
  const std::string outcome = source->prepare(sink->frames(), options.quiet);
  bool interrupted = outcome == "interrupted";
  if (interrupted && !source->frames().empty()) {
    say("interrupted: drawing the frames until here; Ctrl-C again ends that\n");
    watch_for_interrupts();
  }
  if (!source->frames().empty()) {
    interrupted |= draw_all(*source, *sink, framing, look, options.quiet, options.json);
    const std::string made = sink->finish();
    if (!options.quiet) say("{}{}\n", made, interrupted ? " (interrupted)" : "");
  } else if (interrupted) {
    say("interrupted before the first frame to draw: nothing was written\n");
  }
  if (interrupted) throw Exit{kInterrupted};
  if (outcome == "diverged") throw Exit{kDiverged};
}

}  // namespace

void add_render_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", kRenderHelp);
  const auto o = std::make_shared<RenderArguments>();
  command->add_option("source", o->source, "scene, or folder of frames written by muslin run")
      ->required()
      ->type_name("SCENE|FRAMES");
  command
      ->add_option("-o,--out", o->out,
                   "picture (.png), film (.mp4, .webm, .gif), or folder for a picture of every frame")
      ->required()
      ->type_name("FILE|FOLDER")
      ->check([](const std::string& out) { return out.empty() ? "is empty" : ""; });
  CLI::Option* frames =
      command->add_option("--frames", o->frames, "frames of a film or folder (default: all)");
  frames->type_name("FIRST..LAST");
  command->add_option("--frame", o->frame, "frame of a picture (default: the last)")
      ->check(CLI::Range(0, 10000000))
      ->excludes(frames);
  command->add_option("--size", o->size, "size of the picture [pixels]")
      ->type_name("WxH")
      ->capture_default_str();
  command->add_option("--camera", o->camera, "eye and target [m] (default: shows everything)")
      ->type_name("EX,EY,EZ,TX,TY,TZ");
  command->add_option("--look", o->look, "how it is drawn, words separated by commas: see muslin list looks")
      ->delimiter(',')
      ->type_name("NAME,...");
  command->add_option("--solver", o->solver, "solver instead of the scene's, as in muslin run")
      ->check(known_method);
  command->add_option("--set", o->set, "replace a value of the scene; may be repeated")
      ->type_name("PATH=VALUE");
  command
      ->add_option(
          "--fps", o->fps,
          "pictures a second of a film (default: one a frame, or of every second frame, ... up to 60, "
          "50 for GIF)")
      ->check(between(0.1, 240));
  command->add_option("--speed", o->speed, "of a film: 1 is real time, 0.25 slow motion")
      ->check(between(1e-6, 1e6))
      ->capture_default_str();
  command->add_option("--threads", o->threads, "most threads of the simulation (0: all cores)")
      ->check(CLI::Range(0, 4096));
  command->add_flag("--force", o->force, "overwrite what exists");
  command->add_flag("-q,--quiet", o->quiet, "no progress");
  command->add_flag("--json", o->json, "print JSON: a line a picture as it is drawn");
  command->callback([o] { render(*o); });
}

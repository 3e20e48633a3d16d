#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands.h"
#include "interrupt.h"
#include "muslin/compare/tune.h"
#include "muslin/muslin.h"
#include "muslin/solver/position/quality.h"
#include "streams.h"
#include "table.h"

using namespace muslin;

namespace {

struct TuneArguments {
  std::string scene;
  std::optional<int> frames;
  std::vector<std::string> set;
  int threads = 0;
  bool quiet = false, json = false;
};

constexpr int kFrames = 120;  // unless told otherwise, or the scene has fewer: a fall and a swing

std::string percent(double fraction) { return fmt::format("{:.2f}", 100 * fraction); }

std::vector<std::string> row_of(const TunedSettings& one) {
  return {describe_effort(one.position),
          fmt::format("{:.3f}", one.ms),
          percent(one.strain_p50),
          percent(one.strain_p99),
          percent(one.strain_max),
          fmt::format("{:.4g}", one.energy),
          fmt::format("{:.3f}", one.height),
          fmt::format("{:.1f}", 100 * one.astray),
          one.step_error ? fmt::format("{:.3g}", 1000 * *one.step_error) : "-",
          one.diverged ? "diverged" : ""};
}

void print_table(const Tuning& tuning) {
  Rows rows{{"settings", "ms a frame", "p50 %", "p99 %", "max %", "energy J", "height m", "astray %",
             "step mm", ""}};
  for (const TunedSettings& one : tuning.settings) rows.push_back(row_of(one));
  print_text(table_text(rows, line_width(STDOUT_FILENO)));
}

/// As a scene has it.
std::string as_json(const PositionSettings& position) {
  return fmt::format(R"("position": {{"path": "{}", "substeps": {}{}}})", name_of(*position.path),
                     position.steps(), position.coarse ? R"(, "coarse": true)" : "");
}

void print_advice(const Tuning& tuning) {
  print("\n");
  for (const Advice& advice : tuning.advice) {
    const std::string_view name = name_of(advice.quality);
    if (advice.settings) {
      const TunedSettings& one = tuning.settings[*advice.settings];
      print("{}: {} ({:.3f} ms a frame)\n", name, as_json(one.position), one.ms);
    } else {
      print("{}: none of these reaches it\n", name);
    }
  }
}

void run(const TuneArguments& options) {
  set_threads(options.threads);
  const Scene scene = read_scene(find_scene(options.scene), parse_overrides(options.set));
  const int frames = options.frames.value_or(std::clamp(scene.frames, 1, kFrames));
  watch_for_interrupts();
  const TuneWatcher watcher{
      [&](const PositionSettings& position) { say_unless(options.quiet, "{}\n", describe_effort(position)); },
      is_interrupted};
  const Tuning tuning = tune(scene, frames, watcher);
  if (options.json) {
    print_text(tuning_json(tuning));
  } else {
    print("{}: {} vertices, {} frames\n", scene.name, tuning.vertices, frames);
    print_table(tuning);
    print_advice(tuning);
  }
  if (tuning.interrupted) throw Exit{kInterrupted};
}

}  // namespace

void add_tune_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("tune", R"(Tell what position-based settings cost on a scene.

Examples:
  muslin tune hang                                  the table, and the settings for four qualities
  muslin tune hang --set cloths/0/grid/points=[128,128] --frames 60
  muslin tune curtain --json > curtain.json

Runs the scene by xpbd with more and more substeps, on the general path and on the faster ones that it can take, until
99 of 100 edges keep below a strain of 0.5 % in nine frames of ten.

  ms a frame  wall time of a frame's steps, median
  p50 p99 max of edges' strain: half are below, 99 of 100 are below in nine frames of ten, the largest of all frames
  energy      kinetic and potential at the last frame, less the start's: what was dissipated, or done from outside
  height      of the centre of mass at the last frame, from the start
  astray      how far the centre of mass was from that of the settings with most substeps, of the cloth's size, within
              the first 60 frames: 6 is the most that is advised
  step        mean distance of three steps from the exact minimum of the same step, root mean square
)");
  command->footer(R"(
Exit codes: 0 ok, 1 failed, 2 usage, 3 invalid scene, 5 file trouble, 130 interrupted (what is complete is printed).
)");
  const auto o = std::make_shared<TuneArguments>();
  command->add_option("SCENE", o->scene, "scene file (ours or CS184's), or the name of a shipped scene")
      ->required();
  command
      ->add_option("--frames", o->frames,
                   fmt::format("frames to run (default: the scene's, at most {})", kFrames))
      ->check(CLI::Range(1, 1000000));
  command->add_option("--set", o->set, "replace a value of the scene; may be repeated")
      ->type_name("PATH=VALUE");
  command->add_option("--threads", o->threads, "most threads (0: all cores); results do not depend on it")
      ->check(CLI::Range(0, 4096));
  command->add_flag("-q,--quiet", o->quiet, "no progress");
  command->add_flag("--json", o->json, "print JSON instead of the table");
  command->callback([o] { run(*o); });
}

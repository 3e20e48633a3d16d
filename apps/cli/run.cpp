#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "frame_table.h"
#include "interrupt.h"
#include "intersections.h"
#include "muslin/audit/start.h"
#include "muslin/core/check.h"
#include "muslin/io/run_doubts.h"
#include "muslin/io/run_record.h"
#include "muslin/muslin.h"
#include "muslin/solver/methods.h"
#include "output_folder.h"
#include "progress.h"
#include "repair.h"
#include "streams.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

struct RunOptions {
  std::string scene, out, solver, log, csv;
  std::vector<int> probes;
  std::optional<int> frames;
  std::vector<std::string> formats{"obj"}, set;
  std::optional<double> time_limit;  // [s]
  int threads = 0;
  bool force = false, quiet = false, json = false, repair = false;
};

std::vector<Override> overrides_of(const RunOptions& options) {
  std::vector<Override> overrides;
  if (!options.solver.empty()) overrides.push_back({"/solver/family", family_of_method(options.solver)});
  if (options.frames) overrides.push_back({"/frames", std::to_string(*options.frames)});
  for (const Override& override : parse_overrides(options.set)) overrides.push_back(override);
  return overrides;
}

/// Who hears of every frame as it comes.
struct Listeners {
  FrameTable& table;
  bool json;
};

// Steps until the last frame, divergence, Ctrl-C or the end of the time; returns the outcome for the record.
std::string run_frames(Simulation& simulation, OutputFolder& output, Progress& progress,
                       IntersectionWatch& intersections, const Listeners& listeners, RunRecord& record) {
  const int frames = simulation.scene().frames;
  const auto add = [&](const FrameReport& report) {
    record.frames.push_back(report);
    if (listeners.json) print_text(encode_frame(report));
    listeners.table.add(report, simulation);
  };
  if (listeners.json) print_text(encode_begin(record));
  add(simulation.report());
  output.write_frame(simulation, record);
  output.write_record(record);
  const InterruptibleWork work(simulation.stop());
  while (simulation.frame() < frames) {
    const FrameReport report = simulation.step();
    if (report.step.status == Status::cancelled) return is_interrupted() ? "interrupted" : "time_limit";
    add(report);
    progress.frame(record.frames.back());
    if (record.frames.back().step.status == Status::diverged) return "diverged";
    output.write_frame(simulation, record);
    intersections.look(simulation);
    if (output.record_is_due()) output.write_record(record);
  }
  return "finished";
}

// The record names the failure before the error goes its way; that it cannot be written is not a second
// error.
[[noreturn]] void record_failure(OutputFolder& output, RunRecord& record) {
  record.outcome = "failed";
  try {
    output.write_record(record);
  } catch (const Error&) {
  }
  throw;
}

Stop::Clock::time_point time_after(double seconds) {
  return Stop::Clock::now() +
         std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(seconds));
}

void run(const RunOptions& options) {
  const auto deadline = time_after(options.time_limit.value_or(0));
  if (!options.log.empty()) keep_log(options.log, options.force);
  set_threads(options.threads);
  Scene scene = read_scene(find_scene(options.scene), overrides_of(options));
  if (!options.solver.empty()) find_method(options.solver).choose(scene.solver);
  Simulation simulation(scene);
  std::vector<std::string> start_warnings = vain_overrides(scene, parse_overrides(options.set));
  if (options.repair) {
    const Untangled repaired =
        untangle_aloud(simulation.model(), simulation.state().positions, options.quiet);
    start_warnings.push_back(repair_sentence(simulation.model(), repaired));
    simulation.start_from(repaired.positions);
  }
  for (const std::string& warning : check_start(simulation.model(), simulation.state().positions,
                                                keeps_out(simulation.scene().solver), options.repair))
    start_warnings.push_back(warning);
  OutputFolder output(options.out, {options.formats.begin(), options.formats.end()}, options.force);
  FrameTable table(options.csv, options.probes, options.force, simulation);
  RunRecord record;
  record.scene = simulation.scene();
  record.threads = threads();
  record.substeps = simulation.substeps();
  record.warnings = simulation.model().warnings;
  record.warnings.insert(record.warnings.end(), start_warnings.begin(), start_warnings.end());

  watch_for_interrupts();
  if (options.time_limit) simulation.stop().at(deadline);
  Progress progress(simulation.scene().frames, options.quiet);
  progress.begin(simulation, record.warnings);
  IntersectionWatch intersections(simulation);
  std::vector<std::string> doubts;
  try {
    record.outcome = run_frames(simulation, output, progress, intersections, {table, options.json}, record);
    doubts = doubts_about(record);
    if (const std::string doubt = intersections.doubt(); !doubt.empty()) doubts.push_back(doubt);
    record.warnings.insert(record.warnings.end(), doubts.begin(), doubts.end());
    output.write_record(record);
    table.finish();
  } catch (...) {
    record_failure(output, record);
  }
  progress.end(record, doubts, options.out);
  if (options.json) print_text(encode_end(record));

  if (record.outcome == "interrupted") throw Exit{kInterrupted};
  if (record.outcome != "finished") throw Exit{kDiverged};
}

std::vector<std::string> extensions() {
  std::vector<std::string> names;
  for (const FormatEntry& entry : formats()) names.emplace_back(entry.extension);
  return names;
}

}  // namespace

void add_run_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", R"(Simulate a scene.

Examples:
  muslin run sphere_drape                                      watch the numbers, write nothing
  muslin run flag --out flag_frames --format obj,ply           write frames and run.json
  muslin run games103_implicit --solver xpbd --frames 30       another solver on the same cloth
  muslin run hang --set cloths/0/grid/points=[128,128] --set solver/position/substeps=8
  muslin run hang --csv hang.csv --probe 0,4095                a table: the figures of every frame, two vertices

Exit codes: 0 ok, 1 failed, 2 usage, 3 invalid scene or mesh, 4 diverged or out of time, 5 file trouble, 130 interrupted.
)");
  const auto o = std::make_shared<RunOptions>();
  command->add_option("SCENE", o->scene, "scene file (ours or CS184's), or the name of a shipped scene")
      ->required();
  command->add_option("--frames", o->frames, "frames to run instead of the scene's number")
      ->check(CLI::Range(0, 10000000));
  command->add_option("-o,--out", o->out, "folder for frames and run.json; without it nothing is written")
      ->check([](const std::string& folder) { return folder.empty() ? "is empty" : ""; });
  command->add_option("--format", o->formats, "frame formats, separated by commas: see muslin list formats")
      ->delimiter(',')
      ->check(CLI::IsMember(extensions()))
      ->capture_default_str();
  command
      ->add_option(
          "--solver", o->solver,
          "solver instead of the scene's: a family (muslin list solvers), or a method of one (muslin "
          "compare -h)")
      ->check(known_method);
  command
      ->add_option("--set", o->set,
                   "replace a value of the scene (of a CS184 file: of the scene it becomes); may be repeated")
      ->type_name("PATH=VALUE");
  command
      ->add_option("--time-limit", o->time_limit,
                   "seconds after which the run ends with the frames that are done (exit code 4)")
      ->type_name("SECONDS")
      ->check(between(1e-3, 1e8));
  command->add_option("--threads", o->threads, "most threads (0: all cores); results do not depend on it")
      ->check(CLI::Range(0, 4096));
  command->add_flag("--repair", o->repair,
                    "draw apart what intersects at the start first (see muslin check)");
  command->add_flag("--force", o->force, "replace an earlier run in the folder, the log and the table");
  command->add_flag("-q,--quiet", o->quiet, "no progress");
  command->add_option("--log", o->log, "write progress and warnings to this file, too, as they come")
      ->type_name("FILE")
      ->check([](const std::string& file) { return file.empty() ? "is empty" : ""; });
  CLI::Option* csv =
      command
          ->add_option(
              "--csv", o->csv,
              "write a table, a line a frame: the figures, and where the vertices of --probe are [m]")
          ->type_name("FILE")
          ->check([](const std::string& file) { return file.empty() ? "is empty" : ""; });
  command
      ->add_option(
          "--probe", o->probes,
          "vertices whose places the table has, separated by commas; a grid's vertex (i, j) is i + j * "
          "points across")
      ->type_name("VERTEX")
      ->delimiter(',')
      ->needs(csv);
  command->add_flag("--json", o->json,
                    "print JSON as it happens: a line before the first frame, one a frame, one at the end");
  command->callback([o] { run(*o); });
}

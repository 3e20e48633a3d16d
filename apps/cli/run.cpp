#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <utility>

#include "commands.h"
#include "frame_table.h"
#include "interrupt.h"
#include "intersections.h"
#include "muslin/audit/start.h"
#include "muslin/changed_scene.h"
#include "muslin/core/check.h"
#include "muslin/core/simd_names.h"
#include "muslin/io/frame_series.h"
#include "muslin/io/run_doubts.h"
#include "muslin/io/run_folder.h"
#include "muslin/io/run_record.h"
#include "muslin/muslin.h"
#include "output_folder.h"
#include "progress.h"
#include "repair.h"
#include "resume.h"
#include "streams.h"

using namespace muslin;

namespace {

struct RunOptions {
  std::string scene, out, resume, solver, log, csv;
  std::vector<int> probes;
  std::optional<int> frames;
  std::vector<std::string> formats{"obj"}, set;
  std::optional<double> time_limit;  // [s]
  std::optional<double> until_rest;  // [m/s]
  int threads = 0, checkpoint = 0;
  std::string kernels = "avx512";
  bool force = false, quiet = false, json = false, repair = false;
};

// Steps until the last frame, divergence, Ctrl-C or the end of the time; returns the outcome for the record.
std::string run_frames(Simulation& simulation, OutputFolder& output, Progress& progress, FrameTable& table,
                       const RunOptions& options, std::vector<RecordedFrame> earlier, RunRecord& record) {
  const bool json = options.json;
  RestWatch rest(options.until_rest.value_or(0));
  const int frames = simulation.scene().frames;
  const IntersectionWatch intersections(simulation);
  const auto add = [&](const FrameReport& report) {
    record.tally.add(report);
    if (json) print_text(encode_frame(report));
    table.add(report, simulation);
  };
  if (json) print_text(encode_begin(record));
  if (earlier.empty()) {
    const FrameReport start = simulation.report();
    add(start);
    output.write_frame(simulation, start, record);
    output.write_record(record);
  } else {
    output.go_on_after(simulation, record, std::exchange(earlier, {}));
  }
  const InterruptibleWork work(simulation.stop());
  while (simulation.frame() < frames) {
    const FrameReport report = simulation.step();
    if (report.step.status == Status::cancelled) {
      if (record.checkpoint > 0) output.write_checkpoint(simulation, record);
      return is_interrupted() ? "interrupted" : "time_limit";
    }
    add(report);
    progress.frame(report);
    if (report.step.status == Status::diverged) {
      output.add_row({report, {}}, record);
      return "diverged";
    }
    if (const auto pairs = intersections.look(simulation)) record.intersections[simulation.frame()] = *pairs;
    output.write_frame(simulation, report, record);
    if (record.checkpoint > 0 && simulation.frame() % record.checkpoint == 0)
      output.write_checkpoint(simulation, record);
    else if (output.record_is_due())
      output.write_record(record);
    if (options.until_rest && rest.look(simulation.state().time, simulation.state().velocities)) {
      record.scene.frames = simulation.frame();  // the run is whole
      say("at rest in frame {}: through {} s no vertex was faster than {:g} m/s\n", simulation.frame(),
          RestWatch::kTime, *options.until_rest);
      return "finished";
    }
  }
  if (options.until_rest)
    say("warning: not at rest after {} frames: the fastest vertex has {:.3g} m/s, and --until-rest asks for "
        "{:g}; "
        "more frames (--frames), or damping, would do\n",
        frames, simulation.state().velocities.colwise().norm().maxCoeff(), *options.until_rest);
  return "finished";
}

// The record names the failure before the error goes its way; that it cannot be written is not a second
// error.
[[noreturn]] void record_failure(OutputFolder& output, RunRecord& record) {
  record.outcome = "failed";
  if (!output.has_begun()) throw;  // what is in the folder is an earlier run's
  try {
    output.write_record(record);
  } catch (const std::exception&) {
  }
  throw;
}

// The method looks for the minimum of every step, and came to none.
bool none_converged(const RunRecord& record) {
  const int steps = record.tally.frames - 1;
  return steps > 0 && record.tally.not_converged == steps;
}

Stop::Clock::time_point time_after(double seconds) {
  return Stop::Clock::now() +
         std::chrono::duration_cast<Stop::Clock::duration>(std::chrono::duration<double>(seconds));
}

// Draws the start apart; the sentence of what that did.
std::string repair_start(Simulation& simulation, bool quiet) {
  const Untangled repaired = untangle_aloud(simulation.model(), simulation.state().positions, quiet);
  const std::string sentence = repair_sentence(simulation.model(), repaired);
  simulation.start_from(repaired.positions);
  return sentence;
}

ResumedRun begin_run(const RunOptions& options) {
  ResumedRun run;
  const Scene scene = read_changed_scene(find_scene(options.scene),
                                         {options.solver, options.frames, parse_overrides(options.set)});
  run.simulation = std::make_unique<Simulation>(scene);
  Simulation& simulation = *run.simulation;
  run.record.warnings = simulation.model().warnings;
  const auto warn = [&](const std::vector<std::string>& sentences) {
    run.record.warnings.insert(run.record.warnings.end(), sentences.begin(), sentences.end());
  };
  warn(vain_overrides(scene, parse_overrides(options.set)));
  if (!options.solver.empty()) warn(dropped_losses(scene));
  if (options.repair) warn({repair_start(simulation, options.quiet)});
  warn(check_start(simulation.model(), simulation.state().positions, keeps_out(simulation.scene().solver),
                   options.repair));
  run.output = std::make_unique<OutputFolder>(options.out, options.force);
  run.record.scene = simulation.scene();
  run.record.fingerprint = simulation.fingerprint();
  run.record.substeps = simulation.substeps();
  if (scene.solver.family == "position" && scene.solver.position.quality)
    run.record.chosen = simulation.settings().position;
  const std::set<std::string> formats(options.formats.begin(), options.formats.end());
  run.record.formats.assign(formats.begin(), formats.end());
  run.record.checkpoint = options.checkpoint;
  run.record.repair = options.repair;
  return run;
}

ResumedRun go_on(const RunOptions& options) {
  ResumedRun run = resume_run(options.resume);
  for (const std::string& sentence : run.words) say("{}: {}\n", options.resume, sentence);
  if (run.frames.empty() && run.record.repair) repair_start(*run.simulation, options.quiet);
  return run;
}

void run(const RunOptions& options) {
  const auto deadline = time_after(options.time_limit.value_or(0));
  if (!options.log.empty()) keep_log(options.log, options.force);
  set_threads(options.threads);
  limit_simd(simd_names().at(options.kernels));
  auto [output, running, record, earlier, words] =
      options.resume.empty() ? begin_run(options) : go_on(options);
  Simulation& simulation = *running;
  FrameTable table(options.csv, options.probes, options.force, simulation);
  record.threads = threads();

  watch_for_interrupts();
  if (options.time_limit) simulation.stop().at(deadline);
  Progress progress(simulation.frame(), simulation.scene().frames, options.quiet);
  progress.begin(simulation, record.warnings);
  try {
    record.outcome = run_frames(simulation, *output, progress, table, options, std::move(earlier), record);
    record.open_seams = find_open_seams(record.scene);
    output->finish_series(record);
    record.doubts = doubts_about(record);
    if (const std::string doubt = intersection_doubt(record); !doubt.empty()) record.doubts.push_back(doubt);
    output->write_record(record);
    table.finish();
  } catch (...) {
    record_failure(*output, record);
  }
  progress.end(record, options.resume.empty() ? options.out : options.resume);
  if (options.json) print_text(encode_end(record));

  if (record.outcome == "interrupted") throw Exit{kInterrupted};
  if (record.outcome != "finished" || none_converged(record)) throw Exit{kDiverged};
}

// A run has a scene, or one that the folder has; what that says is not said again.
void check_resume(const CLI::App& command, const RunOptions& options) {
  if (options.checkpoint > 0 && has_series(options.formats) && !keeps_positions(options.formats))
    throw CLI::ValidationError(
        "--checkpoint",
        "needs --format ply (or obj) beside " + fmt::format("{}", fmt::join(options.formats, ",")) +
            ": a resumed run makes files of all frames anew, from frames that keep every bit");
  if (options.resume.empty() && options.scene.empty()) throw CLI::RequiredError("SCENE");
  if (options.resume.empty()) return;
  for (const char* name :
       {"--frames", "--out", "--format", "--solver", "--set", "--checkpoint", "--repair", "--force"})
    if (command.count(name) > 0)
      throw CLI::ValidationError(name, "is not for --resume, which takes it from the folder's run.json");
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
  muslin run rotating_sphere --out o --checkpoint 20           save the state every 20 frames
  muslin run --resume o                                        go on after a crash, Ctrl-C or --time-limit

In the table, `gap mm` is the least distance to a collider less half the cloth's thickness and the collider's margin; cloth
at rest has a little below 0.

Exit codes: 0 ok, 1 failed, 2 usage, 3 invalid scene or mesh, 4 diverged, out of time, or no frame converged, 5 file
trouble, 130 interrupted. Every field of run.json: docs/run_json.md.
)");
  const auto o = std::make_shared<RunOptions>();
  CLI::Option* scene = command->add_option(
      "SCENE", o->scene, "scene file (ours or CS184's), or the name of a shipped scene; not with --resume");
  command->add_option("--frames", o->frames, "frames to run instead of the scene's number")
      ->check(CLI::Range(0, 10000000));
  CLI::Option* out =
      command->add_option("-o,--out", o->out, "folder for frames and run.json; without it nothing is written")
          ->check([](const std::string& folder) { return folder.empty() ? "is empty" : ""; });
  command
      ->add_option("--format", o->formats,
                   "frame formats, separated by commas: see muslin list formats; which program reads what: "
                   "docs/formats.md")
      ->delimiter(',')
      ->check(CLI::IsMember(all_formats()))
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
  command
      ->add_option(
          "--until-rest", o->until_rest,
          "end as soon as no vertex was faster than SPEED [m/s] through half a second, 0.001 say; at "
          "the latest after --frames")
      ->type_name("SPEED")
      ->check(between(1e-9, 1e3));
  command
      ->add_option(
          "--checkpoint", o->checkpoint,
          "save the state every so many frames in the folder, for --resume; the newest two are kept, "
          "and one when the run is interrupted")
      ->type_name("FRAMES")
      ->check(CLI::Range(1, 10000000))
      ->needs(out);
  command
      ->add_option("--resume", o->resume,
                   "go on with a run that ended early, in its folder, to the same bits: after the last state "
                   "saved by --checkpoint, with the scene and options in its run.json")
      ->type_name("FOLDER")
      ->check([](const std::string& folder) { return folder.empty() ? "is empty" : ""; })
      ->excludes(scene);
  command->add_option("--threads", o->threads, "most threads (0: all cores); results do not depend on it")
      ->check(CLI::Range(0, 4096));
  command
      ->add_option(
          "--kernels", o->kernels,
          "widest vectors, if the processor has them: plain, avx2, avx512; results do not depend on it")
      ->type_name("SET")
      ->transform(CLI::IsMember(simd_names()));
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
  command->callback([command, o] {
    check_resume(*command, *o);
    run(*o);
  });
}

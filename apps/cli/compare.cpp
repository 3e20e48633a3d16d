#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "interrupt.h"
#include "muslin/compare/compare.h"
#include "muslin/compare/compare_json.h"
#include "muslin/compare/compare_page.h"
#include "muslin/compare/headline.h"
#include "muslin/compare/sweep.h"
#include "muslin/compare/tables.h"
#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/muslin.h"
#include "muslin/solver/methods.h"
#include "page_folder.h"
#include "streams.h"
#include "work_precision.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

struct CompareArguments {
  std::string scene, out;
  std::vector<std::string> solvers{"implicit_plain", "chebyshev",  "pbd",   "xpbd",
                                   "block_descent",  "projective", "newton"};
  std::optional<int> frames, substeps, iterations, every;
  std::vector<int> trace;
  std::vector<std::string> sweeps, set;
  int threads = 0;
  bool force = false, quiet = false, json = false;
  bool work_precision = false, has_solvers = false;
  WorkPrecisionOptions work;
  std::vector<std::string> integrators;
};

// --- what was asked for ----------------------------------------------------------------------------

// "4,8,16" as numbers above 0. Throws CLI::ValidationError.
std::vector<double> parse_values(const std::string& sweep, const std::string& list, bool whole) {
  std::vector<double> values;
  for (const std::string& word : CLI::detail::split(list, ',')) {
    double value = 0;
    size_t length = 0;
    try {
      value = std::stod(word, &length);
    } catch (const std::exception&) {
    }
    if (length != word.size() || !(value > 0 && value <= 1e6) || (whole && value != std::floor(value)))
      throw CLI::ValidationError(
          "--sweep", fmt::format("{}: must be {} above 0, up to 1e6, separated by commas, got '{}'", sweep,
                                 whole ? "whole numbers" : "numbers", word));
    values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// "substeps=1,4" are steps of dt: a frame, and a fourth of one.
std::vector<double> steps_of(const std::vector<double>& substeps, double frame_time) {
  std::vector<double> steps;
  for (const double count : substeps) steps.push_back(frame_time / count);
  std::sort(steps.begin(), steps.end());
  return steps;
}

SweptAxis parse_axis(const std::string& swept, double frame_time) {
  const size_t equals = swept.find('=');
  if (equals != std::string::npos && swept.substr(0, equals) == "substeps")
    return {SweepAxis::dt, steps_of(parse_values(swept, swept.substr(equals + 1), true), frame_time)};
  const auto& names = EnumNames<SweepAxis>::names;
  const auto found = std::find(names.begin(), names.end(), swept.substr(0, equals));
  if (equals == std::string::npos || found == names.end())
    throw CLI::ValidationError(
        "--sweep",
        "expects iterations=4,8,… or substeps=1,4,… or dt=0.01,0.02,… or resolution=0.5,1,2,…, got " + swept);
  const SweepAxis axis{static_cast<int>(found - names.begin())};
  return {axis, parse_values(swept, swept.substr(equals + 1), axis == SweepAxis::iterations)};
}

// "iterations=4,8@dt=0.01,0.02": every number of iterations at every step.
SweepRequest parse_sweep(const std::string& sweep, double frame_time) {
  SweepRequest request;
  for (const std::string& swept : CLI::detail::split(sweep, '@'))
    request.push_back(parse_axis(swept, frame_time));
  return request;
}

// In their order, each once.
template <class Value>
std::vector<Value> without_doubles(const std::vector<Value>& values) {
  std::vector<Value> once;
  for (const Value& value : values)
    if (!std::count(once.begin(), once.end(), value)) once.push_back(value);
  return once;
}

WorkPrecisionArguments requested_work(const CompareArguments& options) {
  WorkPrecisionArguments work{options.work, options.out, options.force, options.quiet, options.json};
  if (options.has_solvers) work.options.solvers = without_doubles(options.solvers);
  work.options.frames = options.frames;
  std::sort(work.options.steps.begin(), work.options.steps.end());
  work.options.steps = without_doubles(work.options.steps);
  const auto& names = EnumNames<Integrator>::names;
  for (const std::string& name : without_doubles(options.integrators))
    work.options.integrators.push_back(
        Integrator{static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin())});
  return work;
}

CompareOptions requested(const CompareArguments& options, const Scene& scene) {
  CompareOptions request;
  request.solvers = without_doubles(options.solvers);
  request.frames = options.frames;
  request.substeps = options.substeps;
  request.iterations = options.iterations;
  request.every = options.every;
  request.trace_frames = options.trace;
  for (const std::string& sweep : options.sweeps)
    request.sweeps.push_back(parse_sweep(sweep, scene.frame_time));
  return request;
}

// --- what is said ----------------------------------------------------------------------------------

/// A line a frame on standard error: how far every solver is from the reference.
class Lines {
 public:
  explicit Lines(bool quiet) : quiet_(quiet) {}

  void begin(const Comparison& comparison) {
    for (const std::string& warning : comparison.warnings) say("warning: {}\n", warning);
    for (const SolverRecord& record : comparison.solvers) {
      if (record.refused) say("warning: {}: {}\n", record.name, record.failure);
      if (!record.limits.empty()) say("warning: {}: {}\n", record.name, record.limits);
    }
    start_ = Clock::now();
    if (quiet_) return;
    say("{}: {} vertices, {} x {:.4g} s a frame; distance from the reference, root mean square\n",
        comparison.scene.name, comparison.vertex_count, comparison.step.substeps, comparison.step.h);
    std::string header = fmt::format("{:>9} {:>7}", "frame", "left s");
    for (const SolverRecord& record : comparison.solvers) header += fmt::format(" {:>14}", record.name);
    say("{}\n", header);
  }

  void frame(const Comparison& comparison, int frame) const {
    if (quiet_) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    std::string line = fmt::format("{:>9} {:>7.0f}", fmt::format("{}/{}", frame, comparison.frames),
                                   seconds / frame * (comparison.frames - frame));
    for (const SolverRecord& record : comparison.solvers) {
      const bool there = !record.frames.empty() && record.frames.back().frame == frame && !record.diverged;
      const std::string text = there             ? length_text(record.frames.back().error.position.rms)
                               : record.diverged ? "diverged"
                               : record.refused  ? "refused"
                                                 : "-";
      line += fmt::format(" {:>14}", text);
    }
    say("{}\n", line);
  }

  void sweep(const SweepRequest& request, const SweepPoint& point) const {
    if (quiet_) return;
    std::string line = fmt::format("sweep {}: steps of {:.6g} s", name_of(request), point.dt);
    if (point.iterations) line += fmt::format(", {} iterations", *point.iterations);
    if (point.resolution != 1) line += fmt::format(", {:.4g} times the cells along a side", point.resolution);
    say("{}\n", line);
  }

  void end(const Comparison& comparison, const std::string& out) const {
    for (const SolverRecord& record : comparison.solvers)
      if (record.diverged) say("warning: {} {}\n", record.name, record.failure);
    if (comparison.reference.diverged) say("warning: the reference {}\n", comparison.reference.failure);
    if (comparison.unconverged_reference_steps > 0)
      say("warning: {} of {} reference steps stopped before their tolerance\n",
          comparison.unconverged_reference_steps, comparison.reference_steps);
    if (quiet_) return;
    const Headline head = headline(comparison);
    say("\n{}.\n", head.title);
    if (!head.below.empty()) say("{}.\n", head.below);
    say("open {}\n", (fs::path(out) / "index.html").string());
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_;
  Clock::time_point start_ = Clock::now();
};

// --- what is written -------------------------------------------------------------------------------

void write(const Comparison& comparison, const std::string& out, bool force) {
  const auto put = [&](std::string_view file, const std::string& content) {
    write_file((fs::path(out) / file).string(), content, force);
  };
  put("compare.csv", frames_csv(comparison));
  put("iterations.csv", iterations_csv(comparison));
  if (!comparison.sweeps.empty()) put("sweep.csv", sweeps_csv(comparison));
  put("compare.json", compare_json(comparison));
  put("index.html", compare_page(comparison));
}

// Nothing to compare is a failure; one solver that came through is a comparison.
void end_with_code(const Comparison& comparison) {
  const std::vector<SolverRecord>& all = comparison.solvers;
  if (comparison.interrupted) throw Exit{kInterrupted};
  if (std::all_of(all.begin(), all.end(), [](const auto& record) { return record.refused; }))
    throw Exit{kFailed};
  if (comparison.reference.diverged ||
      std::all_of(all.begin(), all.end(), [](const auto& record) { return !record.failure.empty(); }))
    throw Exit{kDiverged};
}

// Steps of a sweep are parts of its whole time.
void tell_rounded_steps(const CompareOptions& request, const Scene& scene) {
  for (const SweepRequest& sweep : request.sweeps)
    for (const SweptAxis& swept : sweep) {
      if (swept.axis != SweepAxis::dt) continue;
      for (const double dt : swept.values) {
        const double step = swept_step(scene, request.frames.value_or(scene.frames), dt);
        if (std::abs(step / dt - 1) > 1e-3)
          say("sweep dt={}: takes steps of {:.6g} s, so that equal ones end with a frame\n", dt, step);
      }
    }
}

void run(const CompareArguments& options) {
  set_threads(options.threads);
  for (const std::string& sweep : options.sweeps)
    parse_sweep(sweep, 1);  // mistakes are told before the scene's
  const Scene scene = read_scene(find_scene(options.scene), parse_overrides(options.set));
  if (options.work_precision) {
    watch_for_interrupts();
    return run_work_precision(scene, requested_work(options));
  }
  const CompareOptions request = requested(options, scene);
  tell_rounded_steps(request, scene);

  watch_for_interrupts();
  Lines lines(options.quiet);
  CompareWatcher watcher;
  watcher.began = [&](const Comparison& comparison) {
    prepare_page_folder(options.out, options.force);
    lines.begin(comparison);
  };
  watcher.frame = [&](const Comparison& comparison, int frame) { lines.frame(comparison, frame); };
  watcher.sweep = [&](const SweepRequest& sweep, const SweepPoint& point) { lines.sweep(sweep, point); };
  watcher.stop = is_interrupted;
  const Comparison comparison = compare(scene, request, watcher);
  write(comparison, options.out, options.force);
  lines.end(comparison, options.out);
  if (options.json) print("{}", compare_json(comparison));
  end_with_code(comparison);
}

std::string method_list() {
  std::string list = "Solvers:\n";
  for (const Method& method : methods()) list += fmt::format("  {:<18}{}\n", method.name, method.summary);
  return list + R"(
All take the same step with the same loss of velocity: --substeps a frame, or the scene's number if its family is
implicit, or one. The other settings are the scene's.

Exit codes: 0 at least one solver came through, 1 failed, 2 usage, 3 invalid scene, 4 all diverged, 5 file trouble,
130 interrupted (what is complete has been written).
)";
}

void add_work_precision_options(CLI::App& command, CompareArguments& options) {
  CLI::Option* wanted = command.add_flag(
      "--work-precision", options.work_precision,
      "the work-precision diagram instead: error of the motion over processor time of one thread, with more "
      "and more steps a frame (default: every family)");
  for (const char* other : {"--substeps", "--iterations", "--trace", "--every", "--sweep"})
    wanted->excludes(command.get_option(other));
  WorkPrecisionOptions& work = options.work;
  command.add_option("--steps", work.steps, "of the diagram: steps a frame, separated by commas")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000))
      ->capture_default_str()
      ->needs(wanted);
  const auto& names = EnumNames<Integrator>::names;
  command
      .add_option("--integrators", options.integrators,
                  "of the diagram: a line for each, of families that have them, separated by commas "
                  "(default: as the scene has them)")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())))
      ->needs(wanted);
  command
      .add_option("--reference-steps", work.reference_steps,
                  "of the diagram: steps a frame of the reference (default: four times the most)")
      ->check(CLI::Range(2, 1000000))
      ->needs(wanted);
  command.add_option("--longest", work.longest, "of the diagram: seconds after which a run ends")
      ->check(between(1e-3, 1e9))
      ->capture_default_str()
      ->needs(wanted);
}

}  // namespace

std::string known_method(const std::string& name) {
  try {
    find_method(name);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

void add_compare_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("compare", R"(Run one cloth under many solvers, beside the exact answer.

Examples:
  muslin compare games103_implicit --out trial                  seven solvers; then open trial/index.html
  muslin compare hang --solvers chebyshev,newton --frames 30 --out trial
  muslin compare games103_implicit --frames 60 --trace 1,40 --sweep iterations=4,8,16,32,64 --out trial
  muslin compare games103_implicit --frames 30 --sweep dt=0.0333,0.01665,0.008325 --out trial
  muslin compare hang --frames 10 --sweep iterations=4,16,64@resolution=0.5,1,2 --out trial
  muslin compare swing --work-precision --integrators euler,bdf2 --out trial    (docs/work_precision.md)

Writes DIR/index.html (one file, for any browser and for paper), compare.csv (a line a solver and frame),
iterations.csv (a line an iteration), sweep.csv and compare.json. The reference is the minimum of the step's
incremental potential F, found to rounding. Energy gap: (F - F*)/(F0 - F*), 0 where a step is exact, 1 where it
ignores the cloth's forces. In contact F holds contact's forces at the minimum fixed (docs/which_solver.md).
With --work-precision the files are index.html, work_precision.csv and work_precision.json; its table is printed.
)");
  command->footer(method_list());
  const auto o = std::make_shared<CompareArguments>();
  command->add_option("SCENE", o->scene, "scene file (ours or CS184's), or the name of a shipped scene")
      ->required();
  CLI::Option* solvers =
      command->add_option("--solvers", o->solvers, "solvers to compare, separated by commas: see below")
          ->delimiter(',')
          ->check(known_method)
          ->capture_default_str();
  command->add_option("-o,--out", o->out, "folder for the page and the tables")
      ->required()
      ->check([](const std::string& folder) { return folder.empty() ? "is empty" : ""; });
  command->add_option("--frames", o->frames, "frames to run instead of the scene's number")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--substeps", o->substeps, "equal steps a frame, for every solver")
      ->check(CLI::Range(1, 100000));
  command->add_option("--iterations", o->iterations, "most iterations a step, for every solver that iterates")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option(
          "--trace", o->trace,
          "frames whose first step is shown iteration by iteration, separated by commas (default: the "
          "first, a third of the way, the last)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--every", o->every,
                   "frames between two reference steps of a solver (default: at most 100 reference steps)")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--sweep", o->sweeps,
                   "repeat with other settings: iterations=4,8,16 (a step from every traced state), "
                   "dt=0.02,0.01 [s], substeps=1,2,4 (a frame: the same as dt) or resolution=0.5,1,2 (times "
                   "as many cells along every side of a grid; "
                   "all but iterations: a trajectory of ten frames); A@B: every value of A at every value of "
                   "B; may be "
                   "repeated")
      ->type_name("AXIS=VALUES[@AXIS=VALUES]");
  command->add_option("--set", o->set, "replace a value of the scene; may be repeated")
      ->type_name("PATH=VALUE");
  command->add_option("--threads", o->threads, "most threads (0: all cores); results do not depend on it")
      ->check(CLI::Range(0, 4096));
  command->add_flag("--force", o->force, "replace an earlier comparison in the folder");
  command->add_flag("-q,--quiet", o->quiet, "no progress");
  command->add_flag("--json", o->json, "print compare.json to standard output at the end");
  add_work_precision_options(*command, *o);
  command->callback([o, solvers] {
    o->has_solvers = solvers->count() > 0;
    run(*o);
  });
}

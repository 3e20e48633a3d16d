#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include "commands.h"
#include "interrupt.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/io/file.h"
#include "muslin/io/scan.h"
#include "muslin/platform/processes.h"
#include "muslin/sweep/sweep_page.h"
#include "muslin/sweep/sweep_table.h"
#include "progress.h"
#include "streams.h"
#include "sweep_worker.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

struct SweepOptions {
  std::string plan, out, page, folder, cache, time = "01:00:00", partition;
  std::optional<int> index;
  int jobs = 1, chunk = 1;
  bool slurm = false, parallel = false, dry_run = false, times = false;
};

// --- muslin sweep PLAN.json ------------------------------------------------------------------------

// A scene seen from the plan, or a shipped one; as an absolute path, for workers run anywhere.
std::string scene_path(const SweepPlan& plan, const std::string& plan_file) {
  const fs::path beside = fs::absolute(plan_file).parent_path() / plan.scene;
  return fs::absolute(fs::exists(beside) ? beside.string() : find_scene(plan.scene))
      .lexically_normal()
      .string();
}

// The first troubles of many: one wrong value of an axis is in every other line.
void warn_of(const std::vector<std::string>& troubles) {
  constexpr size_t kMost = 3;
  for (size_t k = 0; k < std::min(kMost, troubles.size()); ++k) say("warning: {}\n", troubles[k]);
  if (troubles.size() > kMost) say("warning: and so {} more\n", troubles.size() - kMost);
}

void make_sweep(const SweepOptions& options) {
  SweepPlan plan = parse_plan(read_file(options.plan), options.plan);
  plan.scene = scene_path(plan, options.plan);
  const std::string out = options.out.empty() ? fs::path(options.plan).stem().string() : options.out;
  Patience patience;
  warn_of(SweepFolder::create(out, plan, [&](std::size_t line, std::size_t count) {
    patience.say_by([&] { return fmt::format("{}: {} of {} scenes looked at", out, line, count); });
  }));
  say("{}: {} runs; next: muslin sweep run {}\n", out, SweepFolder(out).lines().size(), out);
}

// --- muslin sweep run ------------------------------------------------------------------------------

int count_chunks(const SweepFolder& folder, int chunk) {
  return (static_cast<int>(folder.lines().size()) + chunk - 1) / chunk;
}

// The lines that were asked for: all, or those of one chunk.
std::pair<int, int> asked_lines(const SweepFolder& folder, const SweepOptions& options) {
  const int count = static_cast<int>(folder.lines().size());
  if (!options.index) return {0, count};
  if (*options.index >= count_chunks(folder, options.chunk))
    throw Error(ErrorKind::invalid, fmt::format("--index: must be from 0 to {}, got {}",
                                                count_chunks(folder, options.chunk) - 1, *options.index));
  return {*options.index * options.chunk, std::min(count, (*options.index + 1) * options.chunk)};
}

// Lines are taken in order by so many threads, each of which waits for the process of a run.
void run_lines(const SweepFolder& folder, const SweepWorker& worker, std::pair<int, int> asked, int jobs) {
  std::atomic<int> next = asked.first;
  std::exception_ptr trouble;
  std::mutex guard;
  const auto work = [&] {
    for (int k = next++; k < asked.second && !is_interrupted(); k = next++) try {
        worker.run(folder.lines()[k]);
      } catch (...) {
        const std::lock_guard lock(guard);
        trouble = std::current_exception();
        next = asked.second;
      }
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < jobs; ++k) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  if (trouble) std::rethrow_exception(trouble);
}

void run_sweep(const SweepOptions& options) {
  const SweepFolder folder(options.folder);
  const auto asked = asked_lines(folder, options);
  watch_for_interrupts();
  const SweepWorker worker(folder, options.cache);
  run_lines(folder, worker, asked, options.jobs > 0 ? options.jobs : threads());
  if (is_interrupted()) throw Exit{kInterrupted};
  int left = 0;
  for (int k = asked.first; k < asked.second; ++k) left += !folder.result(k);
  if (left == 0) return;
  say("{}: {} of {} runs were cut off or are run by others; the same command goes on with them\n",
      options.folder, left, asked.second - asked.first);
  throw Exit{kFailed};
}

// --- muslin sweep submit ---------------------------------------------------------------------------

// A word without control characters: what follows a line break in a directive of Slurm's would be run.
const std::string& printable(const std::string& word) {
  if (std::any_of(word.begin(), word.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    throw Error(ErrorKind::invalid, quote(word) + ": must have no control characters to be handed on");
  return word;
}

// A word as the shell takes it.
std::string shell_word(const std::string& word) {
  std::string text = "'";
  for (const char c : printable(word)) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string worker_command(const SweepFolder& folder, const SweepOptions& options) {
  std::string command = fmt::format("{} sweep run {} --chunk {}", shell_word(platform::own_program()),
                                    shell_word(folder.path().string()), options.chunk);
  if (!options.cache.empty()) command += " --cache " + shell_word(fs::absolute(options.cache).string());
  return command + " --index";
}

// A file's name as directives take it: in double quotes, "%%" for a per cent sign. With a backslash in it,
// Slurm would put in no number of a task.
std::string slurm_name(const std::string& name) {
  if (name.find('\\') != name.npos)
    throw Error(ErrorKind::invalid, quote(name) + ": must have no backslash, which Slurm takes for its own");
  std::string text;
  for (const char c : printable(name)) text += c == '"' ? "\\\"" : c == '%' ? "%%" : std::string(1, c);
  return text;
}

std::string slurm_script(const SweepFolder& folder, const SweepOptions& options) {
  std::string script = fmt::format(R"(#!/bin/sh
#SBATCH --job-name=muslin-sweep
#SBATCH --array=0-{}
#SBATCH --time={}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="{}/logs/slurm-%a.txt"
)",
                                   count_chunks(folder, options.chunk) - 1, printable(options.time),
                                   slurm_name(folder.path().string()));
  if (!options.partition.empty())
    script += fmt::format("#SBATCH --partition={}\n", printable(options.partition));
  return script + fmt::format("exec {} \"$SLURM_ARRAY_TASK_ID\"\n", worker_command(folder, options));
}

// GNU parallel starts a line again whose worker was killed, up to three times. It would replace {}, {/}, {= …
// =} and more in a name: the command goes by it, in the environment.
std::string parallel_command(const SweepFolder& folder, const SweepOptions& options) {
  return fmt::format("seq 0 {} | MUSLIN_SWEEP={} parallel --jobs {} --retries 3 {}\n",
                     count_chunks(folder, options.chunk) - 1, shell_word(worker_command(folder, options)),
                     options.jobs == 0 ? "100%" : std::to_string(options.jobs),  // its own 0 has no limit
                     shell_word("eval \"$MUSLIN_SWEEP {}\""));
}

void submit_sweep(const SweepOptions& options) {
  const SweepFolder folder(options.folder);
  const std::string text = options.slurm ? slurm_script(folder, options) : parallel_command(folder, options);
  if (options.dry_run) return print_text(text);
  std::string command = text;
  if (options.slurm) {
    const std::string file = (folder.path() / "array.sbatch").string();
    write_file(file, text, true);
    command = "sbatch " + shell_word(file);
  }
  if (std::system(command.c_str()) != 0) throw Error(ErrorKind::file, "failed: " + command);
}

// --- muslin sweep status, table --------------------------------------------------------------------

void print_status(const SweepOptions& options) {
  const SweepFolder folder(options.folder);
  const SweepStatus status = folder.status();
  print("done {}, failed {}, running {}, left {}\n", status.done, status.failed, status.running, status.left);
  for (const auto& [line, result] : folder.failures())
    print("line {}: {}: {}\n", line, result.outcome, result.reason);
}

// --- muslin sweep page -----------------------------------------------------------------------------

void write_page(const SweepOptions& options) {
  const SweepFolder folder(options.folder);
  const std::string file = options.page.empty() ? (folder.path() / "index.html").string() : options.page;
  write_file(file, sweep_page(folder), true, options.page.empty() ? Links::replaced : Links::followed);
  say("{}\n", file);
}

CLI::App* add_part(CLI::App& sweep, const char* name, const char* words, SweepOptions& options,
                   void (*work)(const SweepOptions&), const std::shared_ptr<SweepOptions>& keep) {
  CLI::App* part = sweep.add_subcommand(name, words);
  part->add_option("DIR", options.folder, "folder of the sweep")->required();
  part->callback([keep, work] { work(*keep); });
  return part;
}

void add_worker_options(CLI::App& part, SweepOptions& options) {
  part.add_option("--jobs", options.jobs, "runs side by side (0: one a core)")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  part.add_option("--chunk", options.chunk, "runs of one task or index, one after another")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  part.add_option("--cache", options.cache, "take results from this folder, and put them there, by key");
}

}  // namespace

void add_sweep_command(CLI::App& app) {
  CLI::App* sweep =
      app.add_subcommand("sweep", R"(Run one scene many times with other values, over all cores or a cluster.

Examples:
  muslin sweep plan.json --out trial           write the manifest: one line a run
  muslin sweep run trial --jobs 0              run what is not done, on all cores; again after a crash
  muslin sweep submit trial --slurm --time 02:00:00 --chunk 10
  muslin sweep submit trial --parallel --jobs 8 --dry-run
  muslin sweep status trial
  muslin sweep table trial > trial.csv
  muslin sweep page trial                      trial/index.html: plots by axis, pictures, the table

Every field of a plan: docs/sweeps.md; for editors: muslin schema --plan. What a table can tell: muslin list figures.
)");
  const auto o = std::make_shared<SweepOptions>();
  sweep->add_option("PLAN", o->plan, "plan of the sweep, a JSON file");
  sweep->add_option("-o,--out", o->out, "folder of the sweep (default: the plan's name)");
  sweep->require_subcommand(0, 1);
  sweep->callback([sweep, o] {
    if (!sweep->get_subcommands().empty()) return;
    if (o->plan.empty()) throw CLI::RequiredError("PLAN");
    make_sweep(*o);
  });

  CLI::App* run = add_part(*sweep, "run", "Run what is not done.", *o, run_sweep, o);
  add_worker_options(*run, *o);
  run->add_option("--index", o->index, "run this chunk of lines only, from 0")->check(CLI::Range(0, 1000000));
  CLI::App* submit =
      add_part(*sweep, "submit", "Hand the sweep to Slurm or GNU parallel.", *o, submit_sweep, o);
  add_worker_options(*submit, *o);
  CLI::Option* slurm = submit->add_flag("--slurm", o->slurm, "as a job array");
  CLI::Option* parallel = submit->add_flag("--parallel", o->parallel, "by GNU parallel, on this machine");
  slurm->excludes(parallel);
  submit->add_option("--time", o->time, "Slurm's time limit of a task")->needs(slurm)->capture_default_str();
  submit->add_option("--partition", o->partition, "Slurm's partition")->needs(slurm);
  submit->add_flag("--dry-run", o->dry_run, "print what would be run");
  submit->callback([o] {
    if (!o->slurm && !o->parallel) throw CLI::RequiredError("--slurm or --parallel");
    submit_sweep(*o);
  });
  add_part(*sweep, "status", "Say how many runs are done, failed, running and left.", *o, print_status, o);
  add_part(
      *sweep, "table", "Print the table as CSV.", *o,
      [](const SweepOptions& options) {
        print_text(sweep_csv(sweep_columns(SweepFolder(options.folder), options.times)));
      },
      o)
      ->add_flag("--times", o->times, "a column more: wall time [ms], which differs from run to run");
  add_part(*sweep, "page", "Write the page: plots by axis, pictures, the table.", *o, write_page, o)
      ->add_option("-o,--out", o->page, "HTML file (default: index.html in DIR)");
}

#include "sweep_worker.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "commands.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/io/file.h"
#include "muslin/platform/processes.h"
#include "muslin/version.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

// Runs this program with the arguments, its messages at the end of a file; its exit code, or -1 if it was
// ended from outside. It ends with us, so that no run outlives a worker that is killed.
int run_self(std::vector<std::string> arguments, const std::string& messages) try {
  return platform::run_program(platform::own_program(), std::move(arguments), messages);
} catch (const std::system_error&) {
  throw Error(ErrorKind::file, "a run cannot be started: no process can be made");
}

// What a run came to; none if it was cut off, so that the line is left.
std::optional<RunResult> result_in(const fs::path& folder, int code) {
  const fs::path record = folder / "run.json";
  if (!fs::exists(record)) {
    if (code != kInvalid) return {};
    return RunResult{"", std::string(version()), "invalid", "", 0, {}};
  }
  RunResult result = result_of_run(read_file(record.string()), record.string());
  if (result.outcome != "finished" && result.outcome != "diverged" && result.outcome != "failed") return {};
  return result;
}

// A run without its picture is a run all the same: what went wrong is in its log.
void draw_last(const std::string& frames, const std::string& picture, const std::string& log) {
  run_self({"render", frames, "--out", picture, "--size", "240x180", "--force", "--quiet"}, log);
}

}  // namespace

// Whether the run begins anew; it goes on where one of the same key began and may have saved states.
bool SweepWorker::restart(const SweepLine& line, const std::string& key) const {
  const fs::path folder = folder_.run_folder(line.number), mark = folder / "key";
  const bool same = !fs::is_symlink(folder) && fs::exists(mark) && read_file(mark.string()) == key;
  if (same && folder_.plan().checkpoint > 0 && fs::exists(folder / "run.json")) return false;
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_file(mark.string(), key, true);
  return true;
}

void SweepWorker::run(const SweepLine& line) const {
  folder_.make(line, cache_, [&] { return result_of(line); });
}

std::optional<RunResult> SweepWorker::result_of(const SweepLine& line) const {
  const SweepPlan& plan = folder_.plan();
  const std::string folder = folder_.run_folder(line.number).string(),
                    log = folder_.log_file(line.number).string();
  fs::remove(log);
  std::vector<std::string> words{"run", "--quiet", "--threads", "1"};
  if (restart(line, run_key(line.inputs, version()))) {
    const std::string scene = plan.scene.starts_with('-') ? "./" + plan.scene : plan.scene;  // no option
    words.insert(words.end(), {scene, "--out", folder, "--format", "ply"});
    if (!plan.solver.empty()) words.insert(words.end(), {"--solver", plan.solver});
    if (plan.frames) words.insert(words.end(), {"--frames", std::to_string(*plan.frames)});
    if (plan.checkpoint > 0) words.insert(words.end(), {"--checkpoint", std::to_string(plan.checkpoint)});
    for (const std::string& set : plan.set) words.insert(words.end(), {"--set", set});
    for (const auto& [path, value] : line.values)
      words.insert(words.end(), {"--set", fmt::format("{}={}", path, value)});
  } else {
    words.insert(words.end(), {"--resume", folder});
  }
  std::optional<RunResult> result = result_in(folder, run_self(words, log));
  if (!result) return {};
  if (result->outcome != "finished") result->reason = first_line(read_file(log));
  fs::remove(folder_.picture(line.number));  // a link would be drawn through
  if (plan.pictures && result->outcome == "finished")
    draw_last(folder, folder_.picture(line.number).string(), log);
  fs::remove_all(folder);
  return result;
}

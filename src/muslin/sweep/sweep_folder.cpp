#include "muslin/sweep/sweep_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/folder_lock.h"
#include "muslin/io/json_text.h"
#include "muslin/io/scene_tree.h"
#include "muslin/simulation.h"
#include "muslin/version.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

constexpr std::array<const char*, 5> kParts{"results", "pictures", "runs", "claims", "logs"};

// What stands behind a link belongs to somebody else.
void refuse_link(const fs::path& path) {
  if (std::error_code ignored; fs::is_symlink(path, ignored))
    throw Error(ErrorKind::file, path.string() + ": must be a folder, found a symbolic link");
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string encode(const SweepLine& line) {
  Json values = Json::array();
  for (const auto& [path, value] : line.values) values.push_back({path, value});
  return text_of({{"line", line.number}, {"set", values}, {"inputs", line.inputs}});
}

/// Line `number` of the manifest of a plan; `place` is named where it is none.
SweepLine decode_line(const std::string& text, const std::string& place, const SweepPlan& plan,
                      int number) try {
  check_depth(text, place);
  const Json json = Json::parse(text);
  SweepLine line{number, {}, json.at("inputs").get<std::string>()};
  for (const Json& value : json.at("set")) line.values.emplace_back(value.at(0), value.at(1));
  if (whole_number<int>(json.at("line")) != number)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: must be of line {}, got {}", place, number, json.at("line").dump()));
  const auto is_of = [](const Override& value, const PlannedAxis& axis) { return value.first == axis.set; };
  if (!std::equal(line.values.begin(), line.values.end(), plan.axes.begin(), plan.axes.end(), is_of))
    throw Error(ErrorKind::invalid, place + ": must set what the axes of the plan set, in their order");
  return line;
} catch (const Json::exception& error) {
  throw Error(ErrorKind::invalid, fmt::format("{}: {}", place, error.what()));
}

// The runs of a plan with what decides each; of scenes that cannot be built a sentence joins the troubles.
// Throws Error(file) where a file cannot be read.
std::vector<SweepLine> lines_of(const SweepPlan& plan, std::vector<std::string>& troubles,
                                const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<SweepLine> lines;
  const std::vector<std::vector<Override>> runs = planned_runs(plan);
  for (const std::vector<Override>& values : runs) {
    if (progress) progress(lines.size(), runs.size());
    SweepLine& line = lines.emplace_back(SweepLine{static_cast<int>(lines.size()), values, ""});
    try {
      const Scene scene = planned_scene(plan, values);
      line.inputs = run_inputs(Simulation(scene).fingerprint(), scene.frames);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::file) throw;  // that may be mended
      troubles.push_back(fmt::format("line {} cannot be run: {}", line.number, error.what()));
    }
  }
  return lines;
}

}  // namespace

std::string SweepFolder::numbered(int line) { return fmt::format("{:06}", line); }

bool SweepFolder::exists(const std::string& folder) { return fs::exists(fs::path(folder) / "sweep.json"); }

std::vector<std::string> SweepFolder::create(const std::string& folder, const SweepPlan& plan,
                                             const std::function<void(std::size_t, std::size_t)>& progress) {
  if (exists(folder))
    throw Error(ErrorKind::file,
                folder + ": holds a sweep already; go on with muslin sweep run, or choose another --out");
  std::vector<std::string> troubles;
  std::string manifest;
  for (const SweepLine& line : lines_of(plan, troubles, progress)) manifest += encode(line);
  std::error_code error;
  for (const char* part : kParts) {
    refuse_link(fs::path(folder) / part);
    fs::create_directories(fs::path(folder) / part, error);
    if (error) throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", folder, error.message()));
  }
  // The plan comes last: where it is, the folder is whole.
  write_file((fs::path(folder) / "manifest.jsonl").string(), manifest, true);
  write_file((fs::path(folder) / "sweep.json").string(), text_of(to_tree(plan)), false);
  return troubles;
}

SweepFolder::SweepFolder(const std::string& folder) : path_(fs::absolute(folder)) {
  const std::string plan_file = (path_ / "sweep.json").string(),
                    manifest = (path_ / "manifest.jsonl").string();
  if (!exists(folder))
    throw Error(ErrorKind::file,
                folder + ": holds no sweep; make one with muslin sweep PLAN.json --out " + folder);
  for (const char* part : kParts) refuse_link(path_ / part);
  plan_ = parse_plan(read_file(plan_file), plan_file);
  std::istringstream text(read_file(manifest));
  for (std::string line; std::getline(text, line);) {
    const int number = static_cast<int>(lines_.size());
    lines_.push_back(decode_line(line, fmt::format("{}:{}", manifest, number + 1), plan_, number));
  }
}

bool SweepFolder::is_of(const SweepPlan& plan) const { return to_tree(plan) == to_tree(plan_); }

std::optional<RunResult> SweepFolder::result(int line) const { return read_result(result_file(line)); }

void SweepFolder::make(const SweepLine& line, const std::string& cache,
                       const std::function<std::optional<RunResult>()>& run) const {
  std::error_code error;
  refuse_link(claim(line.number));
  fs::create_directories(claim(line.number), error);
  const auto lock = FolderLock::take(claim(line.number).string());  // says what is wrong with the folder
  if (!lock || result(line.number)) return;
  fs::path shared;
  if (!cache.empty() && !line.inputs.empty()) {
    fs::create_directories(cache, error);
    shared = fs::path(cache) / (run_key(line.inputs, version()) + ".json");
  }
  std::optional<RunResult> found;
  if (!shared.empty()) found = read_result(shared);
  const bool is_new = !found;
  if (is_new) found = run();
  if (!found) return;
  if (found->inputs.empty()) found->inputs = line.inputs;
  if (found->inputs != line.inputs)
    throw Error(
        ErrorKind::invalid,
        fmt::format("line {}: {} has changed since the sweep was made; make it anew in another folder",
                    line.number, plan_.scene));
  write_result(result_file(line.number), *found);
  if (is_new && !shared.empty() && found->outcome != "invalid") write_result(shared, *found);
}

SweepStatus SweepFolder::status() const {
  SweepStatus status;
  for (const SweepLine& line : lines_)
    if (const auto found = result(line.number))
      ++(found->outcome == "finished" ? status.done : status.failed);
    else
      ++(FolderLock::is_held(claim(line.number).string()) ? status.running : status.left);
  return status;
}

std::map<int, RunResult> SweepFolder::failures() const {
  std::map<int, RunResult> failures;
  for (const SweepLine& line : lines_)
    if (const auto found = result(line.number); found && found->outcome != "finished")
      failures[line.number] = *found;
  return failures;
}

}  // namespace muslin

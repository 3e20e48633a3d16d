#include "muslin/sweep/sweep_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/folder_lock.h"
#include "muslin/io/scene_tree.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json parsed(const std::string& text, const std::string& name) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw Error(ErrorKind::invalid, name + ": must be JSON that muslin sweep wrote");
  return json;
}

std::string encode(const SweepLine& line) {
  Json values = Json::array();
  for (const auto& [path, value] : line.values) values.push_back({path, value});
  return text_of({{"line", line.number}, {"set", values}, {"inputs", line.inputs}});
}

SweepLine decode_line(const Json& json) {
  SweepLine line{json.at("line").get<int>(), {}, json.at("inputs").get<std::string>()};
  for (const Json& value : json.at("set")) line.values.emplace_back(value.at(0), value.at(1));
  return line;
}

std::string encode(const RunResult& result) {
  Json figures = Json::object();
  const std::vector<std::string> names = figure_names();
  for (size_t k = 0; k < result.figures.size(); ++k) figures[names[k]] = result.figures[k];
  return text_of({{"key", result.key},
                  {"muslin", result.version},
                  {"outcome", result.outcome},
                  {"reason", result.reason},
                  {"ms", result.ms},
                  {"figures", figures}});
}

std::string cell_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Cells of the figures that this Muslin knows; those that another one did not have are empty.
std::vector<std::string> cells_of(const Json& figures) {
  std::vector<std::string> cells;
  for (const std::string& name : figure_names())
    cells.push_back(figures.contains(name) ? cell_of(figures[name]) : "");
  return cells;
}

RunResult decode_result(const std::string& text, const std::string& name) try {
  const Json json = parsed(text, name);
  RunResult result{json.at("key"),    json.at("muslin"), json.at("outcome"),
                   json.at("reason"), json.at("ms"),     {}};
  if (!json.at("figures").empty()) result.figures = cells_of(json.at("figures"));
  return result;
} catch (const Json::exception& error) {
  throw Error(ErrorKind::invalid, fmt::format("{}: must be the result of a run: {}", name, error.what()));
}

std::optional<RunResult> read_result(const fs::path& path) {
  if (!fs::exists(path)) return {};
  return decode_result(read_file(path.string()), path.string());
}

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == cell.npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::vector<std::string> written;
  for (const std::string& cell : cells) written.push_back(quoted(cell));
  return fmt::format("{}\n", fmt::join(written, ","));
}

bool is_locked(const fs::path& folder) {
  if (!fs::exists(folder)) return false;
  try {
    const FolderLock lock(folder.string());
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

std::string SweepFolder::numbered(int line) { return fmt::format("{:06}", line); }

void SweepFolder::create(const std::string& folder, const SweepPlan& plan,
                         const std::vector<SweepLine>& lines) {
  std::error_code error;
  for (const char* part : {"results", "runs", "claims", "logs"}) {
    fs::create_directories(fs::path(folder) / part, error);
    if (error) throw Error(ErrorKind::file, fmt::format("{}: cannot be made: {}", folder, error.message()));
  }
  std::string manifest;
  for (const SweepLine& line : lines) manifest += encode(line);
  // The plan comes last: where it is, the folder is whole.
  const std::string plan_file = (fs::path(folder) / "sweep.json").string();
  if (fs::exists(plan_file))
    throw Error(ErrorKind::file,
                folder + ": holds a sweep already; go on with muslin sweep run, or choose another --out");
  write_file((fs::path(folder) / "manifest.jsonl").string(), manifest, true);
  write_file(plan_file, text_of(to_tree(plan)), false);
}

SweepFolder::SweepFolder(const std::string& folder) : path_(fs::absolute(folder)) {
  const std::string plan_file = (path_ / "sweep.json").string(),
                    manifest = (path_ / "manifest.jsonl").string();
  if (!fs::exists(plan_file))
    throw Error(ErrorKind::file,
                folder + ": holds no sweep; make one with muslin sweep PLAN.json --out " + folder);
  plan_ = parse_plan(read_file(plan_file), plan_file);
  std::istringstream text(read_file(manifest));
  for (std::string line; std::getline(text, line);) try {
      lines_.push_back(decode_line(parsed(line, manifest)));
    } catch (const Json::exception& error) {
      throw Error(ErrorKind::invalid, fmt::format("{}:{}: {}", manifest, lines_.size() + 1, error.what()));
    }
}

std::vector<std::string> SweepFolder::assignments(const SweepLine& line) const {
  std::vector<std::string> all = plan_.set;
  for (const auto& [path, value] : line.values) all.push_back(path + "=" + value);
  return all;
}

std::optional<RunResult> SweepFolder::result(int line) const {
  return read_result(path_ / "results" / (numbered(line) + ".json"));
}

void SweepFolder::keep(int line, const RunResult& result) const {
  write_file((path_ / "results" / (numbered(line) + ".json")).string(), encode(result), true);
}

RunResult SweepFolder::result_of_run(const std::string& run_json, const std::string& name) try {
  const Json json = parsed(run_json, name);
  RunResult result;
  result.version = json.at("muslin");
  result.outcome = json.at("outcome");
  if (json.at("frames").empty()) throw Error(ErrorKind::invalid, name + ": must have a frame, has none");
  for (const Json& frame : json.at("frames")) result.ms += frame.at("ms").at("frame").get<double>();
  result.figures = cells_of(json.at("frames").back());
  return result;
} catch (const Json::exception& error) {
  throw Error(ErrorKind::invalid, fmt::format("{}: must be the record of a run: {}", name, error.what()));
}

std::optional<RunResult> SweepFolder::cached(const std::string& cache, const std::string& key) {
  return read_result(fs::path(cache) / (key + ".json"));
}

void SweepFolder::cache(const std::string& cache, const RunResult& result) {
  fs::create_directories(cache);
  write_file((fs::path(cache) / (result.key + ".json")).string(), encode(result), true);
}

SweepStatus SweepFolder::status() const {
  SweepStatus status;
  for (const SweepLine& line : lines_) {
    const auto found = result(line.number);
    if (found)
      ++(found->outcome == "finished" ? status.done : status.failed);
    else
      ++(is_locked(claim(line.number)) ? status.running : status.left);
  }
  return status;
}

std::string SweepFolder::table(bool with_times) const {
  const std::vector<std::string> names = figure_names();
  std::vector<std::string> head{"line"};
  for (const PlannedAxis& axis : plan_.axes) head.push_back(axis.set);
  head.push_back("outcome");
  head.insert(head.end(), plan_.figures.begin(), plan_.figures.end());
  head.insert(head.end(), {"muslin", "key"});
  if (with_times) head.push_back("ms");
  std::string table = csv_line(head);
  for (const SweepLine& line : lines_) {
    const auto found = result(line.number);
    if (!found) continue;
    std::vector<std::string> cells{std::to_string(line.number)};
    for (const auto& [path, value] : line.values) cells.push_back(value);
    cells.push_back(found->outcome);
    for (const std::string& figure : plan_.figures) {
      const auto place = static_cast<size_t>(std::find(names.begin(), names.end(), figure) - names.begin());
      cells.push_back(place < found->figures.size() ? found->figures[place] : "");
    }
    cells.insert(cells.end(), {found->version, found->key});
    if (with_times) cells.push_back(fmt::format("{}", found->ms));
    table += csv_line(cells);
  }
  return table;
}

}  // namespace muslin

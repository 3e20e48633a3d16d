#include "muslin/io/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/frame_series.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/mesh_frames.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/scene_json.h"
#include "muslin/io/sha256.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

using Record = nlohmann::json;

/// run.json, or null if there is none that makes sense. Of its frames, which may be many, only what is read
/// below.
Record parse_record(const std::string& text) {
  bool in_frames = false;
  const auto is_wanted = [&](int depth, Record::parse_event_t event, Record& parsed) {
    if (event != Record::parse_event_t::key) return true;
    const auto& key = parsed.get_ref<const std::string&>();
    if (depth == 1) in_frames = key == "frames";
    return !in_frames || depth != 3 || key == "frame" || key == "sha256" || key == "blocked" ||
           key == "held_up";
  };
  Record json = Record::parse(text, is_wanted, false);
  return json.is_object() && json.contains("scene") ? json : Record();
}

std::string text_member(const Record& json, const char* name) {
  const auto member = json.find(name);
  return member != json.end() && member->is_string() ? member->get<std::string>() : "";
}

/// The frames of a record, none if it has none.
const Record& frames_of(const Record& json) {
  static const Record none = Record::array();
  const auto frames = json.find("frames");
  return frames != json.end() && frames->is_array() ? *frames : none;
}

/// Name and checksum of the files that a record tells of.
std::map<std::string, std::string> recorded_sums(const Record& json) {
  std::map<std::string, std::string> sums;
  for (const Record& frame : frames_of(json)) {
    if (!frame.is_object() || !frame.contains("sha256") || !frame["sha256"].is_object()) continue;
    for (const auto& [name, sum] : frame["sha256"].items())
      if (sum.is_string() && frame_of_file(name)) sums[name] = sum.get<std::string>();
  }
  return sums;
}

/// The names of the files in a folder that a run with that record has written.
std::vector<std::string> frames_of_run(const std::string& folder, const Record& json) {
  const std::map<std::string, std::string> sums = recorded_sums(json);
  const bool tells = json.contains("frames"), ended = text_member(json, "outcome") != "running";
  const int recorded = static_cast<int>(frames_of(json).size());
  std::error_code error;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::optional<int> frame = frame_of_file(name);
    if (!frame) continue;
    const bool is_recorded = sums.empty() ? *frame < recorded : sums.contains(name);
    if (is_recorded || !tells || (!ended && *frame >= recorded)) names.push_back(name);
  }
  if (error) throw Error(ErrorKind::file, folder + ": cannot be read: " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_frame_with_mesh(const std::string& name) { return name.ends_with(".obj") || name.ends_with(".ply"); }

/// The frames of run.pc2, if there is one.
void add_point_cache(RunFolder& run) {
  const std::string path = (fs::path(run.folder) / "run.pc2").string();
  if (!fs::exists(path)) return;
  const int samples = point_cache_samples(path);
  for (int frame = 0; frame < samples; ++frame) run.files[frame] = path;
}

/// How far colliders or pins were short of their places in a frame [m]; "held_up" in records before
/// 2026-11-24.
double blocked_distance(const Record& frame) {
  const Record blocked = frame.value(frame.contains("blocked") ? "blocked" : "held_up", Record());
  return blocked.is_number() ? blocked.get<double>() : 0;
}

}  // namespace

std::string frame_file(int frame, const std::string& format) {
  return fmt::format("frame_{:04d}.{}", frame, format);
}

std::optional<int> frame_of_file(const std::string& name) {
  int frame = 0, length = 0;
  const bool is_numbered = std::sscanf(name.c_str(), "frame_%9d.%n", &frame, &length) == 1 && length > 0;
  if (!is_numbered || frame < 0) return {};
  const std::string format = name.substr(length);
  return is_frame_format(format) && name == frame_file(frame, format) ? std::optional(frame) : std::nullopt;
}

RunFolder read_run_folder(const std::string& folder) {
  RunFolder run;
  run.folder = folder;
  const std::string record = (fs::path(folder) / "run.json").string();
  const Record json = parse_record(read_file(record));
  if (json.is_null()) throw Error(ErrorKind::invalid, record + ": must be an object with the member 'scene'");
  for (const std::string& name : frames_of_run(folder, json))  // .obj before .ply
    if (is_frame_with_mesh(name)) run.files[*frame_of_file(name)] = (fs::path(folder) / name).string();
  if (run.files.empty()) add_point_cache(run);
  if (run.files.empty())
    throw Error(
        ErrorKind::file,
        folder + ": must hold frame_0000.obj, frame_0000.ply or run.pc2, found no frame that can be read");
  run.sums = recorded_sums(json);
  if (const auto series = json.find("series"); series != json.end() && series->is_object())
    for (const auto& [name, sum] : series->items())
      if (sum.is_string() && is_series_file(name)) run.sums[name] = sum.get<std::string>();
  const Record& scene = json["scene"];
  const std::string mesh_folder = text_member(json, "folder");
  run.scene = parse_scene(scene.is_string() ? scene.get<std::string>() : scene.dump(), record,
                          mesh_folder.empty() ? folder : mesh_folder);
  run.outcome = text_member(json, "outcome");
  run.recorded = static_cast<int>(frames_of(json).size());
  for (const Record& frame : frames_of(json))
    if (frame.is_object() && blocked_distance(frame) > 0 &&
        frame.value("frame", Record()).is_number_integer())
      run.blocked.insert(frame["frame"].get<int>());
  return run;
}

std::vector<std::string> changed_files(const RunFolder& run) {
  std::vector<std::string> changed;
  for (const auto& [name, sum] : run.sums) {
    const fs::path path = fs::path(run.folder) / name;
    if (fs::exists(path) && sha256_of_file(path.string()) != sum) changed.push_back(name);
  }
  return changed;
}

std::string checkpoint_file(int frame) { return fmt::format("checkpoint_{:04d}.state", frame); }

std::map<int, std::string> checkpoints_in(const std::string& folder) {
  std::map<int, std::string> checkpoints;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    int frame = 0;
    if (std::sscanf(name.c_str(), "checkpoint_%9d", &frame) == 1 && frame >= 0 &&
        name == checkpoint_file(frame))
      checkpoints[frame] = entry.path().string();
  }
  if (error) throw Error(ErrorKind::file, folder + ": cannot be read: " + error.message());
  return checkpoints;
}

RunFiles files_of_run(const std::string& folder) {
  Record json;
  try {
    json = parse_record(read_file((fs::path(folder) / "run.json").string()));
  } catch (const Error&) {
  }
  RunFiles files;
  if (json.is_null() || !json.contains("frames")) return files;
  for (const std::string& name : frames_of_run(folder, json))
    files.frames.push_back((fs::path(folder) / name).string());
  for (const std::string& name : series_files())
    if (json.contains("series") && json["series"].contains(name) && fs::exists(fs::path(folder) / name))
      files.series.push_back((fs::path(folder) / name).string());
  for (const auto& [frame, path] : checkpoints_in(folder)) files.checkpoints.push_back(path);
  return files;
}

void remove_files(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code error;
    fs::remove(path, error);
    if (error) throw Error(ErrorKind::file, path + ": cannot be removed: " + error.message());
  }
}

void check_files(const std::string& folder, const std::map<std::string, std::string>& sums) {
  for (const auto& [name, sum] : sums) {
    const std::string path = (fs::path(folder) / name).string();
    if (!frame_of_file(name)) throw Error(ErrorKind::invalid, path + ": must be the name of a frame");
    if (!fs::exists(path)) throw Error(ErrorKind::invalid, path + ": is missing");
    if (sha256(read_file(path)) != sum)
      throw Error(ErrorKind::invalid, path + ": is not as the run wrote it: its SHA-256 must be " + sum);
  }
}

Points read_frame(const RunFolder& run, int frame, const Model& model) {
  const std::string& file = run.files.at(frame);
  const int expected = model.user_vertex_count();
  if (file.ends_with(".pc2"))
    return model.vertex_numbers.to_model(read_point_cache_sample(file, frame, expected));
  const Mesh mesh = read_mesh(file);
  if (mesh.vertex_count() != expected)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: must have the {} vertices of the scene in run.json, got {}", file, expected,
                            mesh.vertex_count()));
  if (!has_triangles_of(model, mesh))
    throw Error(ErrorKind::invalid,
                file + ": must have the triangles of the scene in run.json, got others: frames of two runs?");
  return model.vertex_numbers.to_model(mesh.positions);
}

bool keeps_positions(const std::vector<std::string>& formats) {
  return std::any_of(formats.begin(), formats.end(),
                     [](const std::string& format) { return format == "obj" || format == "ply"; });
}

bool has_triangles_of(const Model& model, const Mesh& frame) {
  bool same = frame.triangles.size() == model.triangles.size();
  for (int t = 0; same && t < static_cast<int>(frame.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k)
      same = same && model.vertex_numbers.to_model(frame.triangles[t][k]) ==
                         model.triangles[model.triangle_numbers.to_model(t)][k];
  return same;
}

}  // namespace muslin

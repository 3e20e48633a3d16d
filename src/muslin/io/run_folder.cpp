#include "muslin/io/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "muslin/core/check.h"
#include "muslin/io/blocked_json.h"
#include "muslin/io/file.h"
#include "muslin/io/frame_series.h"
#include "muslin/io/frame_writer.h"
#include "muslin/io/json_text.h"
#include "muslin/io/mesh_frames.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/scene_json.h"
#include "muslin/io/sha256.h"
#include "muslin/io/written_faces.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

using RecordJson = nlohmann::json;

std::string text_member(const RecordJson& json, const char* name) {
  const auto member = json.find(name);
  return member != json.end() && member->is_string() ? member->get<std::string>() : "";
}

/// How far colliders or pins were short of their places in a frame [m]; "held_up" in records before
/// 2026-11-24.
double blocked_distance(const RecordJson& frame) {
  const RecordJson blocked = frame.value(frame.contains("blocked") ? "blocked" : "held_up", RecordJson());
  return blocked.is_number() ? blocked.get<double>() : 0;
}

/// What a folder needs of its run.json. Frames, which may be many, are read one after another and not kept.
class Record {
 public:
  /// Throws Error(file) if there is none, Error(invalid) if it is nested too deep.
  explicit Record(const std::string& path) : path_(path) {
    std::ifstream file = open_file(path);
    const auto parse = [&](int depth, Event event, RecordJson& parsed) {
      if (depth >= static_cast<int>(kMaxJsonDepth) &&
          (event == Event::object_start || event == Event::array_start))
        throw Error(ErrorKind::invalid, fmt::format("{}: nested deeper than {} levels", path, kMaxJsonDepth));
      return keep(depth, event, parsed);
    };
    try {
      head_ = RecordJson::parse(file, parse, false);
    } catch (const std::ios_base::failure& error) {
      throw Error(ErrorKind::file, fmt::format("{}: cannot be read: {}", path, error.code().message()));
    }
    makes_sense_ = head_.is_object() && head_.contains("scene");
  }

  bool makes_sense() const { return makes_sense_; }
  bool tells_of_frames() const { return head_.contains("frames"); }
  const RecordJson& head() const { return head_; }  ///< all but the frames
  int frame_count() const { return frame_count_; }
  const std::set<int>& blocked() const { return blocked_; }
  const std::map<int, BlockedBodies>& blocked_bodies() const { return blocked_bodies_; }
  /// SHA-256 of files of one frame, by name.
  const std::map<std::string, std::string>& sums() const { return sums_; }

 private:
  using Event = RecordJson::parse_event_t;

  bool keep(int depth, Event event, RecordJson& parsed) {
    if (depth == 1 && event == Event::key) in_frames_ = parsed == "frames";
    if (depth == 1 && event == Event::array_end) in_frames_ = false;
    const bool ends_value = event == Event::value || event == Event::object_end || event == Event::array_end;
    if (!in_frames_ || depth != 2 || !ends_value) return true;
    ++frame_count_;
    if (parsed.is_object()) take_frame(parsed);
    return false;
  }

  void take_frame(const RecordJson& frame) {
    const RecordJson number = frame.value("frame", RecordJson());
    if (const auto frame_number = whole_number<int>(number); frame_number && blocked_distance(frame) > 0)
      blocked_.insert(*frame_number);
    if (const auto frame_number = whole_number<int>(number); frame_number && frame.contains("blocked_bodies"))
      take_bodies(*frame_number, frame["blocked_bodies"]);
    const RecordJson files = frame.value("sha256", RecordJson());
    if (!files.is_object()) return;
    for (const auto& [name, sum] : files.items())
      if (sum.is_string() && frame_of_file(name)) sums_[name] = sum.get<std::string>();
  }

  void take_bodies(int frame, const RecordJson& list) {
    try {
      blocked_bodies_[frame] = decode_blocked_bodies(list);
    } catch (const std::exception& error) {
      throw Error(ErrorKind::invalid, fmt::format("{}: frame {}: {}", path_, frame, error.what()));
    }
  }

  std::string path_;
  RecordJson head_;
  bool makes_sense_ = false, in_frames_ = false;
  int frame_count_ = 0;
  std::set<int> blocked_;
  std::map<int, BlockedBodies> blocked_bodies_;
  std::map<std::string, std::string> sums_;
};

/// The names of the files in a folder that a run with that record has written.
std::vector<std::string> frames_of_run(const std::string& folder, const Record& record) {
  const bool ended = text_member(record.head(), "outcome") != "running";
  std::error_code error;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const std::optional<int> frame = frame_of_file(name);
    if (!frame) continue;
    const bool is_later = *frame >= record.frame_count();
    const bool is_recorded = record.sums().empty() ? !is_later : record.sums().contains(name);
    if (is_recorded || !record.tells_of_frames() || (!ended && is_later)) names.push_back(name);
  }
  if (error) throw Error(ErrorKind::file, folder + ": cannot be read: " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_frame_with_mesh(const std::string& name) { return name.ends_with(".obj") || name.ends_with(".ply"); }

std::string point_cache_of(const RunFolder& run) { return (fs::path(run.folder) / "run.pc2").string(); }

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
  const std::string path = (fs::path(folder) / "run.json").string();
  const Record record(path);
  if (!record.makes_sense())
    throw Error(ErrorKind::invalid, path + ": must be an object with the member 'scene'");
  for (const std::string& name : frames_of_run(folder, record))  // .obj before .ply
    if (is_frame_with_mesh(name)) run.files[*frame_of_file(name)] = (fs::path(folder) / name).string();
  if (run.files.empty() && fs::exists(point_cache_of(run)))
    run.cached = point_cache_samples(point_cache_of(run));
  if (run.last() < 0)
    throw Error(
        ErrorKind::file,
        folder + ": must hold frame_0000.obj, frame_0000.ply or run.pc2, found no frame that can be read");
  const RecordJson& head = record.head();
  run.sums = record.sums();
  if (const auto series = head.find("series"); series != head.end() && series->is_object())
    for (const auto& [name, sum] : series->items())
      if (sum.is_string() && is_series_file(name)) run.sums[name] = sum.get<std::string>();
  const RecordJson& scene = head["scene"];
  const std::string mesh_folder = text_member(head, "folder");
  run.scene = parse_scene(scene.is_string() ? scene.get<std::string>() : scene.dump(), path,
                          mesh_folder.empty() ? folder : mesh_folder);
  run.outcome = text_member(head, "outcome");
  run.recorded = record.frame_count();
  run.blocked = record.blocked();
  run.blocked_bodies = record.blocked_bodies();
  return run;
}

int count_frames(const RunFolder& run) {
  // A run that diverged records its last frame but does not write it.
  const int recorded = run.recorded - (run.outcome == "diverged" ? 1 : 0);
  const int count = std::max(run.last() + 1, recorded);
  for (int frame = 0; frame < count; ++frame)
    if (!run.has(frame))
      throw Error(ErrorKind::file, fmt::format("{}: must hold frames 0 to {}, frame {} is missing",
                                               run.folder, count - 1, frame));
  return count;
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
  std::optional<Record> record;
  try {
    record.emplace((fs::path(folder) / "run.json").string());
  } catch (const Error&) {
  }
  RunFiles files;
  if (!record || !record->makes_sense() || !record->tells_of_frames()) return files;
  const RecordJson& head = record->head();
  for (const std::string& name : frames_of_run(folder, *record))
    files.frames.push_back((fs::path(folder) / name).string());
  for (const std::string& name : series_files())
    if (head.contains("series") && head["series"].contains(name) && fs::exists(fs::path(folder) / name))
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
      throw Error(ErrorKind::invalid,
                  fmt::format("{}: is not as the run wrote it: its SHA-256 must be {}", path, sum));
  }
}

Points read_frame(const RunFolder& run, int frame, const Model& model) {
  const int expected = model.user_vertex_count();
  if (run.cached > 0)
    return model.vertex_numbers.to_model(read_point_cache_sample(point_cache_of(run), frame, expected));
  const std::string& file = run.files.at(frame);
  const Mesh mesh = read_mesh(file, {}, PolygonsAs::fans);
  if (mesh.vertex_count() != expected)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: must have the {} vertices of the scene in run.json, got {}", file, expected,
                            mesh.vertex_count()));
  if (!has_faces_of(model, mesh))
    throw Error(ErrorKind::invalid,
                file + ": must have the faces of the scene in run.json, got others: frames of two runs?");
  return model.vertex_numbers.to_model(mesh.positions);
}

bool keeps_positions(const std::vector<std::string>& formats) {
  return std::any_of(formats.begin(), formats.end(),
                     [](const std::string& format) { return format == "obj" || format == "ply"; });
}

bool has_faces_of(const Model& model, const Mesh& frame) {
  const Polygons& polygons = *frame.polygons;
  int polygon = 0;
  bool same = true;
  for (const WrittenMesh& mesh : model.written)
    for_each_face(model, mesh, [&](const std::vector<int>& corners, int) {
      same = same && polygon < polygons.count() &&
             polygons.end[polygon] - polygons.begin_of(polygon) == std::ssize(corners);
      for (int k = 0; same && k < std::ssize(corners); ++k)
        same = polygons.corners[polygons.begin_of(polygon) + k] == mesh.first_vertex + corners[k];
      ++polygon;
    });
  return same && polygon == polygons.count();
}

}  // namespace muslin

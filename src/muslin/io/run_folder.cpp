#include "muslin/io/run_folder.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/mesh_reader.h"
#include "muslin/io/scene_json.h"

namespace fs = std::filesystem;

namespace muslin {

namespace {

/// The number in "frame_0012", or -1.
int frame_number(const std::string& name) {
  int frame = 0, length = 0;
  const bool fits = std::sscanf(name.c_str(), "frame_%9d%n", &frame, &length) == 1;
  return fits && frame >= 0 && length == static_cast<int>(name.size()) ? frame : -1;
}

std::map<int, std::string> frame_files(const std::string& folder) {
  std::error_code error;
  std::map<int, std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    const int frame = frame_number(path.stem().string());
    if (frame < 0 || (path.extension() != ".obj" && path.extension() != ".ply")) continue;
    if (path.extension() == ".ply" || !files.contains(frame)) files[frame] = path.string();
  }
  if (error) throw Error(ErrorKind::file, folder + ": cannot be read: " + error.message());
  return files;
}

}  // namespace

RunFolder read_run_folder(const std::string& folder) {
  RunFolder run;
  run.files = frame_files(folder);
  const std::string record = (fs::path(folder) / "run.json").string();
  const auto json = nlohmann::json::parse(read_file(record), nullptr, false);
  if (!json.is_object() || !json.contains("scene"))
    throw Error(ErrorKind::invalid, record + ": must be an object with the member 'scene'");
  if (run.files.empty())
    throw Error(ErrorKind::file, folder + ": must hold frame_0000.obj or frame_0000.ply, found no frame");
  const auto& scene = json["scene"];
  const bool knows_folder = json.contains("folder") && json["folder"].is_string();
  run.scene = parse_scene(scene.is_string() ? scene.get<std::string>() : scene.dump(), record,
                          knows_folder ? json["folder"].get<std::string>() : folder);
  if (json.contains("outcome") && json["outcome"].is_string())
    run.outcome = json["outcome"].get<std::string>();
  if (!json.contains("frames") || !json["frames"].is_array()) return run;
  run.recorded = static_cast<int>(json["frames"].size());
  for (const auto& frame : json["frames"])
    if (frame.is_object() && frame.value("held_up", nlohmann::json()).is_number() && frame["held_up"] > 0 &&
        frame.value("frame", nlohmann::json()).is_number_integer())
      run.held_up.insert(frame["frame"].get<int>());
  return run;
}

Mesh read_frame(const std::string& file, int vertex_count) {
  Mesh mesh = read_mesh(file);
  if (mesh.vertex_count() != vertex_count)
    throw Error(ErrorKind::invalid,
                fmt::format("{}: must have the {} vertices of the scene in run.json, got {}", file,
                            vertex_count, mesh.vertex_count()));
  return mesh;
}

}  // namespace muslin

// The frames of an earlier run as a source of pictures.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "muslin/core/check.h"
#include "muslin/io/file.h"
#include "muslin/io/mesh_reader.h"
#include "picture_source.h"

namespace fs = std::filesystem;
using namespace muslin;

namespace {

class RecordedFrames final : public PictureSource {
 public:
  explicit RecordedFrames(const std::string& folder) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) add(entry.path());
    const std::string run = (fs::path(folder) / "run.json").string();
    const auto json = nlohmann::json::parse(read_file(run), nullptr, false);
    if (!json.is_object() || !json.contains("scene"))
      throw Error(ErrorKind::invalid, run + ": must be an object with the member 'scene'");
    if (files_.empty())
      throw Error(ErrorKind::file, folder + ": must hold frame_0000.obj or frame_0000.ply, found no frame");
    const auto& scene = json["scene"];
    const bool knows_folder = json.contains("folder") && json["folder"].is_string();
    scene_ = parse_scene(scene.is_string() ? scene.get<std::string>() : scene.dump(), run,
                         knows_folder ? json["folder"].get<std::string>() : folder);
    model_ = build_model(scene_);
    for (const auto& [frame, file] : files_) frames_.push_back(frame);
  }

  const Scene& scene() const override { return scene_; }
  const Model& model() const override { return model_; }

  std::string prepare(const std::vector<int>& wanted, bool) override {
    frames_ = wanted;
    return "finished";
  }

  State state(int frame) const override {
    State state;
    state.positions = positions(frame);
    state.velocities = velocities(frame);
    state.time = frame * scene_.frame_time;
    state.step = frame;
    return state;
  }

 private:
  void add(const fs::path& path) {
    const std::string name = path.stem().string(), extension = path.extension().string();
    int frame = 0, length = 0;
    if (std::sscanf(name.c_str(), "frame_%9d%n", &frame, &length) == 1 && frame >= 0 &&
        length == static_cast<int>(name.size()) && (extension == ".obj" || extension == ".ply"))
      files_[frame] = path.string();
  }

  // The last few are kept: a frame is wanted again as the neighbour of the next.
  const Points& positions(int frame) const {
    const auto kept = read_.find(frame);
    if (kept != read_.end()) return kept->second;
    const std::string& file = files_.at(frame);
    Mesh mesh = read_mesh(file);
    if (mesh.vertex_count() != model_.vertex_count())
      throw Error(ErrorKind::invalid,
                  fmt::format("{}: must have the {} vertices of the scene in run.json, got {}", file,
                              model_.vertex_count(), mesh.vertex_count()));
    if (read_.size() > 3) read_.clear();
    return read_[frame] = model_.vertex_numbers.to_model(mesh.positions);
  }

  // Backwards, but for the first frame; at rest where a neighbour is missing.
  Points velocities(int frame) const {
    const int other = files_.contains(frame - 1) ? frame - 1 : frame + 1;
    if (!files_.contains(other)) return Points::Zero(3, model_.vertex_count());
    const Points here = positions(frame);
    return (here - positions(other)) / ((frame - other) * scene_.frame_time);
  }

  Scene scene_;
  Model model_;
  std::map<int, std::string> files_;
  mutable std::map<int, Points> read_;
};

}  // namespace

std::unique_ptr<PictureSource> open_frames(const std::string& folder) {
  return std::make_unique<RecordedFrames>(folder);
}

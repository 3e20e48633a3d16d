// The frames of an earlier run as a source of pictures.
#include <map>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/io/run_folder.h"
#include "picture_source.h"

using namespace muslin;

namespace {

class RecordedFrames final : public RecordedSource {
 public:
  explicit RecordedFrames(const std::string& folder)
      : run_(read_run_folder(folder)), model_(build_model(run_.scene)) {
    for (int frame = 0; frame <= run_.last(); ++frame)
      if (run_.has(frame)) frames_.push_back(frame);
  }

  const Scene& scene() const override { return run_.scene; }
  const Model& model() const override { return model_; }

  std::string prepare(const std::vector<int>& wanted, bool) override {
    frames_ = wanted;
    return "finished";
  }

  State state(int frame) const override {
    State state;
    state.positions = positions(frame);
    state.velocities = velocities(frame);
    state.time = frame * run_.scene.frame_time;
    state.step = frame;
    state.blocked = blocked_points(frame);
    return state;
  }

  BlockedBodies blocked(int frame) const override {
    const auto found = run_.blocked_bodies.find(frame);
    return found != run_.blocked_bodies.end() ? found->second : BlockedBodies();
  }

 private:
  // As the run had them (State::blocked); nothing where all colliders were in their places.
  Points blocked_points(int frame) const {
    const BlockedBodies bodies = blocked(frame);
    if (bodies.empty()) return Points(3, 0);
    const double time = frame * run_.scene.frame_time;
    std::vector<Pose> poses = poses_at(model_.colliders, time);
    for (const auto& [collider, pose] : bodies)
      if (collider >= 0 && collider < std::ssize(poses)) poses[collider] = pose;
    return SceneSurfaces(model_, model_.script, Members::bodies).bodies_at(poses, time);
  }

  // The last few are kept: a frame is wanted again as the neighbour of the next.
  const Points& positions(int frame) const {
    const auto kept = read_.find(frame);
    if (kept != read_.end()) return kept->second;
    if (read_.size() > 3) read_.clear();
    return read_[frame] = read_frame(run_, frame, model_);
  }

  // Backwards, but for the first frame; at rest where a neighbour is missing.
  Points velocities(int frame) const {
    const int other = run_.has(frame - 1) ? frame - 1 : frame + 1;
    if (!run_.has(other)) return Points::Zero(3, model_.vertex_count());
    const Points here = positions(frame);
    return (here - positions(other)) / ((frame - other) * run_.scene.frame_time);
  }

  RunFolder run_;
  Model model_;
  mutable std::map<int, Points> read_;
};

}  // namespace

std::unique_ptr<RecordedSource> open_frames(const std::string& folder) {
  return std::make_unique<RecordedFrames>(folder);
}

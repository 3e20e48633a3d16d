#include "stage_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "muslin/solver/methods.h"
#include "session.h"

using namespace muslin;

std::vector<int> colliders_on_stage(const Scene& scene) {
  std::vector<int> shown;
  for (int c = 0; c < static_cast<int>(scene.colliders.size()); ++c)
    if (scene.colliders[c].enabled) shown.push_back(c);
  return shown;
}

namespace {

/// Whether cloth keeps a collider from where it should be; rounding is not that.
bool is_blocked(const Pose& pose, const Pose& wanted) {
  constexpr double kRounding = 1e-9;
  return (pose.translation - wanted.translation).norm() > kRounding ||
         (pose.rotation - wanted.rotation).norm() > kRounding;
}

}  // namespace

// In the lane's controls colliders are where hands had them in the last frame.
Stage lane_stage(const Snapshot& snapshot, const LaneSnapshot& lane, const Look& look) {
  Stage stage = make_stage(*lane.model, *lane.controls, lane.state, look);
  const std::vector<int> shown = colliders_on_stage(*snapshot.scene);
  for (size_t i = 0; i < shown.size(); ++i) {
    Pose& pose = stage.colliders.at(i).pose;
    const int c = shown[i];
    if (is_blocked(pose,
                   pose_at(lane.model->colliders[c], lane.state.time, lane.controls->collider_offset[c])))
      continue;
    pose = pose_at(snapshot.scene->colliders[c], lane.state.time);
    pose.translation += snapshot.carried.at(c);
  }
  return stage;
}

Scalars differences(const LaneSnapshot& lane, const LaneSnapshot& reference) {
  constexpr double kMillimetres = 1000;
  return kMillimetres * (lane.state.positions - reference.state.positions).colwise().norm().transpose();
}

namespace {

/// Whether both have the very meshes: files that are read again are others.
bool has_meshes_of(const Scene& a, const Scene& b) {
  const auto is_one = [](const auto& x, const auto& y) {
    return x.mesh.has_value() == y.mesh.has_value() && (!x.mesh || x.mesh->mesh == y.mesh->mesh);
  };
  return std::equal(a.cloths.begin(), a.cloths.end(), b.cloths.begin(), b.cloths.end(), is_one) &&
         std::equal(a.colliders.begin(), a.colliders.end(), b.colliders.begin(), b.colliders.end(), is_one);
}

}  // namespace

const Paint& PaintOfScene::of(const Snapshot& snapshot, const Model& model) {
  if (!snapshot.scene || snapshot.scene == scene_) return paint_;
  const bool is_new = load_ != snapshot.load || !has_meshes_of(*snapshot.scene, *scene_);
  if (is_new) paint_ = read_paint(*snapshot.scene, model);
  load_ = snapshot.load;
  scene_ = snapshot.scene;
  return paint_;
}

std::string PaintOfScene::trouble() const { return fmt::format("{}", fmt::join(paint_.words, "\n")); }

std::string what_runs_now(const Snapshot& before, const Snapshot& now) {
  if (now.load != before.load || !now.scene || !before.scene || !now.methods.empty()) return "";
  const std::string method = method_of(now.scene->solver);
  if (method == method_of(before.scene->solver)) return "";
  return fmt::format("{} runs now: {}", find_method(method).label, find_method(method).summary);
}

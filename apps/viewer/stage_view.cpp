#include "stage_view.h"

using namespace muslin;

std::vector<int> colliders_on_stage(const Scene& scene) {
  std::vector<int> shown;
  for (int c = 0; c < static_cast<int>(scene.colliders.size()); ++c)
    if (scene.colliders[c].enabled) shown.push_back(c);
  return shown;
}

Stage lane_stage(const Snapshot& snapshot, const LaneSnapshot& lane, const Look& look) {
  Stage stage = make_stage(*lane.model, lane.state, look);
  if (lane.state.held_up.cols() > 0) return stage;
  stage.colliders.clear();  // of the model they are where the last frame had them
  for (const int c : colliders_on_stage(*snapshot.scene)) {
    const Collider& collider = snapshot.scene->colliders[c];
    PosedCollider posed = posed_at(collider, lane.state.time);
    posed.pose.translation += snapshot.carried.at(c);
    stage.colliders.push_back(posed);
  }
  return stage;
}

Scalars differences(const LaneSnapshot& lane, const LaneSnapshot& reference) {
  constexpr double kMillimetres = 1000;
  return kMillimetres * (lane.state.positions - reference.state.positions).colwise().norm().transpose();
}

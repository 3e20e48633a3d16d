#include "stage_view.h"

using namespace muslin;

Stage lane_stage(const Snapshot& snapshot, const LaneSnapshot& lane, const Look& look) {
  Stage stage = make_stage(*lane.model, lane.state, look);
  for (size_t c = 0; c < stage.colliders.size() && c < snapshot.carried.size(); ++c)
    stage.colliders[c].pose.translation += snapshot.carried[c];
  stage.marked = snapshot.held;
  return stage;
}

Scalars differences(const LaneSnapshot& lane, const LaneSnapshot& reference) {
  constexpr double kMillimetres = 1000;
  return kMillimetres * (lane.state.positions - reference.state.positions).colwise().norm().transpose();
}

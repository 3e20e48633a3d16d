#include "muslin/model/input.h"

namespace muslin {

Input scripted_input(const Model& model, double time_start, double time_end) {
  Input input;
  input.time_start = time_start;
  input.time_end = time_end;
  for (const Collider& collider : model.colliders) {
    input.collider_start.push_back(pose_at(collider, time_start));
    input.collider_end.push_back(pose_at(collider, time_end));
  }
  std::vector<Vec3> offsets;
  for (const Motion& motion : model.pin_motions) offsets.push_back(offset_at(motion, time_end));
  input.pin_targets.resize(3, static_cast<int>(model.pins.size()));
  for (size_t p = 0; p < model.pins.size(); ++p)
    input.pin_targets.col(p) = model.pins[p].place + offsets[model.pins[p].motion];
  return input;
}

void apply_pins(const Model& model, const Input& input, Points& positions) {
  for (size_t p = 0; p < model.pins.size(); ++p) {
    const auto& [vertex, fixed, place, motion] = model.pins[p];
    for (int axis = 0; axis < 3; ++axis)
      if (fixed[axis] != 0) positions(axis, vertex) = input.pin_targets(axis, p);
  }
}

}  // namespace muslin

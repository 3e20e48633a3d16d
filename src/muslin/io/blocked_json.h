#pragma once
#include "muslin/io/frame_writer.h"
#include "muslin/io/json_text.h"

// Where a frame's blocked colliders are, as run.json has it. Internal to io.

namespace muslin {

/// Of the list "blocked_bodies" of a frame's row: [{"collider": 1, "rotation": 3 rows, "translation": [m]}].
/// Throws Error(invalid) or nlohmann's exception for what is no such list.
template <class AnyJson>
BlockedBodies decode_blocked_bodies(const AnyJson& list) {
  BlockedBodies blocked;
  if (!list.is_array()) throw Error(ErrorKind::invalid, "blocked_bodies: must be a list");
  for (const AnyJson& row : list) {
    Pose& pose = blocked[need_whole<int>(row.at("collider"), "collider")];
    for (int axis = 0; axis < 3; ++axis) {
      row.at("translation").at(axis).get_to(pose.translation[axis]);
      for (int k = 0; k < 3; ++k) row.at("rotation").at(axis).at(k).get_to(pose.rotation(axis, k));
    }
  }
  return blocked;
}

}  // namespace muslin

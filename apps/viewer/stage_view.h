#pragma once
#include "muslin/render/materials.h"
#include "muslin/render/view.h"
#include "simulation_thread.h"

/// A part of the window [pixels of the picture, from its upper left corner].
struct Area {
  int x = 0, y = 0, width = 0, height = 0;

  bool operator==(const Area&) const = default;
  bool contains(double px, double py) const {
    return px >= x && py >= y && px < x + width && py < y + height;
  }
};

/// One lane of a snapshot as the renderer wants it, with colliders where hands have put them, or where cloth
/// holds them up.
muslin::Stage lane_stage(const Snapshot& snapshot, const LaneSnapshot& lane, const muslin::Look& look);

/// The colliders of the scene that are on its stages: those that are enabled, in their order.
std::vector<int> colliders_on_stage(const muslin::Scene& scene);

/// How far every vertex of a lane is from the reference [mm].
muslin::Scalars differences(const LaneSnapshot& lane, const LaneSnapshot& reference);

/// The colours of the materials of what is shown, read once a scene: lanes have the same meshes in the same
/// order, and edits under the cloth change none.
class PaintOfScene {
 public:
  const muslin::Paint& of(const Snapshot& snapshot, const muslin::Model& model);

  /// What was named and could not be read, a line each.
  std::string trouble() const;

 private:
  muslin::Paint paint_;
  int load_ = -1;
  std::shared_ptr<const muslin::Scene> scene_;  // whose paint it is
};

/// What to tell where a snapshot runs by another method than the one before; else "".
std::string what_runs_now(const Snapshot& before, const Snapshot& now);

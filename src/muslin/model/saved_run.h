#pragma once
#include "muslin/model/grasp.h"
#include "muslin/model/state.h"

namespace muslin {

/// All frames have been of one length since `frame`, which began at `time`.
struct Clock {
  int frame = 0;
  double time = 0;  ///< [s]
};

/// All that a run needs to go on with the same bits, but its scene. Of the Controls, pins and pulls follow
/// from the scene and the grasp; gravity and wind are the scene's. Numbers are the model's.
struct SavedRun {
  int frame = 0;
  Clock clock;
  bool edited = false, touched = false;  ///< as Simulation has them
  State state;
  Points start{3, 0};  ///< positions [m] that the run began with instead of the scene's; empty: the scene's
  Grasp grasp;
  std::vector<Vec3> collider_offset;  ///< Controls::collider_offset [m]
  Points force{3, 0};                 ///< Controls::force [N]
};

}  // namespace muslin

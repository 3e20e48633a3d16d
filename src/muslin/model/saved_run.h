#pragma once
#include <string>

#include "muslin/model/grasp.h"
#include "muslin/model/state.h"

namespace muslin {

struct Model;

/// All frames have been of one length since `frame`, which began at `time`.
struct Clock {
  int frame = 0;    ///< number of the frame after which the length changed; 0: never
  double time = 0;  ///< at its end [s]
};

/// All that a run needs to go on with the same bits, but its scene. Of the Controls, pins and pulls follow
/// from the scene and the grasp; gravity and wind are the scene's. Numbers are the model's.
struct SavedRun {
  int frame = 0;         ///< that was made last
  Clock clock;           ///< by which times of frames are counted
  bool edited = false;   ///< controls or scene were once others than the scene says
  bool touched = false;  ///< anything met a collider or itself since the start, or may have
  State state;           ///< at the end of that frame
  Points start{3, 0};    ///< positions [m] that the run began with instead of the scene's; empty: the scene's
  Grasp grasp;           ///< what hands hold, pull and carry
  std::vector<Vec3> collider_offset;  ///< Controls::collider_offset [m]
  Points force{3, 0};                 ///< Controls::force [N]
  std::vector<Stencil<2>> closed;     ///< stitches that are closed, as pairs of the user's vertices
};

/// What of a saved run the model has no place for, or "". Files with the model's fingerprint that
/// Simulation::save wrote have none.
std::string find_misfit(const SavedRun& run, const Model& model);

}  // namespace muslin

#pragma once
#include <array>

#include "muslin/model/report.h"
#include "muslin/model/settings.h"

namespace muslin {

/// What the frames of a run come to: all that is said of them at its end. It does not grow with their number.
struct RunTally {
  int frames = 0;              ///< with the initial state
  int not_converged = 0;       ///< frames in which the solver stopped before its tolerance
  int unsolved = 0;            ///< frames whose steps left over kUnsolved of the weight unbalanced
  int unsolved_missed = 0;     ///< of these, those that stopped before the solver's tolerance
  int unsolved_moving = 0;     ///< those and the ones in which cloth moved, or hung in the air
  bool knows_gravity = false;  ///< some frame tells what its steps left unbalanced
  int restarts = 0, rejections = 0, handovers = 0, cut = 0;  ///< of StepReport, summed
  /// Frames whose strain_p99 a PositionQuality does not allow.
  std::array<int, EnumNames<PositionQuality>::names.size()> over_quality{};
  double time_error = 0;  ///< of StepReport, summed [m]
  FrameReport last;

  // The first frame in which a number is largest:
  FrameReport most_lost;         ///< |lost_gravity|
  FrameReport most_lost_missed;  ///< the same, of those that unsolved_missed counts
  FrameReport most_lost_moving;  ///< the same, of those that unsolved_moving counts
  FrameReport most_strained;     ///< strain_p99
  FrameReport most_limited;      ///< limit_ratio
  FrameReport most_blocked;      ///< blocked
  FrameReport most_jumped;       ///< jumped
  FrameReport hardest;           ///< work
  FrameReport most_mistimed;     ///< time_error

  static constexpr double kUnsolved = 0.1;  ///< of the weight that a step may leave and be believed
  static constexpr double kHangs = 0.9;     ///< of the weight, without which cloth does not fall

  /// Counts the next frame.
  void add(const FrameReport& frame);
};

/// The part of the weight that a frame left unbalanced, or made up.
double lost_in(const FrameReport& frame);

}  // namespace muslin

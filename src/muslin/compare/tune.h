#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// Settings of position on a scene, judged over some frames.
struct TunedSettings {
  PositionSettings position;         ///< with path, substeps, iterations and coarse given
  double ms = 0;                     ///< a frame, wall time of its steps, median
  double strain_p50 = 0;             ///< of edges: median of the frames' medians
  double strain_p99 = 0;             ///< 99th percentile, which nine frames of ten keep below
  double strain_max = 0;             ///< largest of all frames
  double energy = 0;                 ///< [J] kinetic and potential at the last frame, less the start's
  double height = 0;                 ///< [m] of the centre of mass at the last frame, relative to the start
  double astray = 0;                 ///< largest distance of the centre of mass from that of the settings
                                     ///< with most substeps, over the cloth's size, in kGateFrames frames
  std::optional<double> step_error;  ///< [m] root mean square distance of a step from the converged one
  bool diverged = false;             ///< the other numbers are of the frames before
  std::vector<Vec3> centres = {};    ///< [m] of mass, a frame
};

/// The cheapest settings for a quality.
struct Advice {
  PositionQuality quality;
  std::optional<size_t> settings;  ///< index of Tuning::settings; absent: none of them reaches it
};

/// What a scene costs by the settings of position.
struct Tuning {
  int frames = 0, vertices = 0;
  double size = 0;  ///< [m] largest extent of the cloth at the start
  std::vector<TunedSettings> settings;
  std::vector<Advice> advice;  ///< one of every quality
  bool interrupted = false;    ///< by the watcher
};

/// Frames of the fall and the swing in which dissipation shows as a centre of mass that goes astray, and by
/// how much of the cloth's size it may: as bench_hang's gate has it.
inline constexpr int kGateFrames = 60;
inline constexpr double kMostAstray = 0.06;

/// Whom a tuning tells, and who may end it. Every function may be empty.
struct TuneWatcher {
  std::function<void(const PositionSettings&)> began;  ///< these settings come next
  std::function<bool()> stop;  ///< asked before every frame: true ends with the settings that are complete
};

/// Runs a scene by xpbd with more and more substeps, on the general path and on the faster ones that it can
/// take, and looks what that costs and what it leaves: strain, dissipation, and the distance of three steps
/// from the converged ones. Throws Error(invalid) for scenes that position cannot run.
Tuning tune(const Scene& scene, int frames, const TuneWatcher& watcher = {});

/// The tuning as JSON text; lengths in m, energies in J, null where a number does not exist.
std::string tuning_json(const Tuning& tuning);

}  // namespace muslin

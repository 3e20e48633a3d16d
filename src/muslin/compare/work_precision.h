#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "muslin/model/scene.h"

// The work–precision diagram [Hairer 1996, IV.10]: how far a run with so many steps a frame is from
// the motion itself, over what it costs. Other comparisons (compare.h) hold each step against its own minimum
// and say nothing of the error of time.

namespace muslin {

/// What a work–precision diagram runs.
struct WorkPrecisionOptions {
  std::vector<std::string> solvers;     ///< names of methods (solver/methods.h); empty: all families
  std::vector<Integrator> integrators;  ///< a line each, of families that have them; empty: the scene's
  std::vector<int> steps{1, 2, 4, 8, 16, 32, 64};  ///< a frame, ascending
  std::optional<int> frames;                       ///< absent: the scene's, at most kWorkPrecisionFrames
  std::optional<int> reference_steps;              ///< a frame; absent: four times the most of `steps`
  double longest = 120;                            ///< [s] of a run, whose frames then end
};

/// Frames unless told otherwise. Later, contact and buckling let runs part whose steps are both exact.
inline constexpr int kWorkPrecisionFrames = 15;

/// One run of a solver.
struct WorkPoint {
  int steps = 0;              ///< a frame
  bool own = false;           ///< steps as the scene has them for this solver, adaptive ones included
  std::vector<double> error;  ///< [m] root mean square over vertices to the reference, a frame; fewer frames
                              ///< than asked for where the run ended
  std::vector<double> ms;     ///< processor time of the frame on one thread
  int unsolved_frames = 0;    ///< with a step that stopped before its tolerance
  bool diverged = false;      ///< in the frame after the last of `error`
  std::string remark;         ///< why it ended early, or ""
};

/// All runs of a solver.
struct WorkLine {
  std::string name;               ///< "newton", or "newton_bdf2" where integrators were asked for
  std::string method;             ///< "newton"
  std::string label;              ///< for plots
  std::string integrator;         ///< "euler", or "" of families without a choice
  std::string refusal;            ///< why it cannot run the scene, or ""
  std::string limits;             ///< what of the model it leaves out, or ""
  std::vector<WorkPoint> points;  ///< as the options have steps, the own one last
};

/// The motion that runs are held against, and how sure it is.
struct WorkReference {
  std::string method, integrator;
  int steps = 0;                  ///< a frame
  int check_steps = 0;            ///< of the second run by which it checks itself: half as many
  std::vector<double> doubt;      ///< [m] root mean square between the two, a frame: what it may be off by
  std::vector<double> travelled;  ///< [m] root mean square from the start, a frame
  int unsolved_frames = 0;        ///< of the first run
  std::string failure;            ///< or ""
};

/// What was found.
struct WorkPrecision {
  Scene scene;
  int frames = 0, vertex_count = 0, triangle_count = 0;
  std::vector<std::string> warnings;  ///< of the model
  WorkReference reference;
  std::vector<WorkLine> lines;
  bool interrupted = false;  ///< by the watcher; runs that are here are complete
};

/// Means over the frames 1 to `frame`, and what the last of them has; absent where a run ended before.
struct WorkSummary {
  double ms = 0;                           ///< processor time of a frame
  double mean = 0, largest = 0, last = 0;  ///< [m] error
};
std::optional<WorkSummary> summary_until(const WorkPoint& point, int frame);

/// The frames at which tables and pages look: a third of the way, two thirds, the last.
std::vector<int> looked_at(int frames);

/// Whom it tells, and who may end it. Every function may be empty.
struct WorkWatcher {
  std::function<void(const WorkPrecision&)> began;               ///< no frame has run
  std::function<void(const WorkReference&)> reference;           ///< it is complete
  std::function<void(const WorkLine&, const WorkPoint&)> point;  ///< a run is complete
  std::function<bool()> stop;                                    ///< asked before every frame
};

/// Runs a scene with more and more equal steps a frame by every solver, on one thread, and holds positions
/// against those of a run with many more. Throws Error(invalid) for what cannot be run at all.
WorkPrecision work_precision(const Scene& scene, const WorkPrecisionOptions& options,
                             const WorkWatcher& watcher = {});

/// As JSON text; `digits` 0: all of them. Lengths in m, times in ms; null where a number does not exist.
std::string work_precision_json(const WorkPrecision& result, int digits = 0);
/// A line a run and frame as CSV.
std::string work_precision_csv(const WorkPrecision& result);

}  // namespace muslin

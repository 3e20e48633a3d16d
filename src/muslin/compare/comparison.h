#pragma once
#include <optional>
#include <string>
#include <vector>

#include "muslin/model/measure.h"
#include "muslin/model/report.h"
#include "muslin/model/scene.h"

// What a comparison of solvers finds. Numbers that do not exist are absent: gaps where there is nothing to
// minimise, what a solver that diverged would have done next. F is F̂ of reference_step.h: in contact, its
// forces are those at the reference's minimum.

namespace muslin {

/// The step that all solvers of a comparison take alike.
struct CommonStep {
  double h = 0;              ///< [s]
  int substeps = 1;          ///< steps a frame
  double velocity_loss = 0;  ///< fraction of the velocity that a step takes away, 0 to 1
};

/// How far positions are from others.
struct PositionError {
  double rms = 0;  ///< [m] root mean square over vertices
  double max = 0;  ///< [m] of the farthest vertex
};

/// One step's result x against the reference step from the same state.
struct StepError {
  std::optional<double>
      energy_gap;  ///< (F(x) − F(x*)) / (F(y) − F(x*)): 0 exact, 1 as if nothing pulled or pushed
  std::optional<double> residual;      ///< [N] root mean square of ∇F over vertices
  std::optional<double> lost_gravity;  ///< −Σ∇F along gravity, as a fraction of the free vertices' weight
  PositionError position;              ///< to x*
};

/// A reference step: what the others are held against, and how well it is converged itself.
struct ReferenceRecord {
  double objective_start = 0;  ///< F(y) [J], y with pins on their targets
  double objective = 0;        ///< F(x*) [J]
  double residual_start = 0;   ///< [N] at y
  double residual = 0;         ///< [N] at x*
  double gap_rounding = 0;     ///< energy gaps below this are rounding; 0 where there are none
  int iterations = 0;          ///< of the reference solver, in this step
  int contacts = 0;            ///< vertices or pairs of elements that repel at x*
  bool converged = false;      ///< by its own criteria, or the residual fell to 1e-7 of that at y
};

/// A step of a solver after so many iterations; iteration 0 is where it starts from.
struct IterationRow {
  int iteration = 0;  ///< 0: before the first
  double ms = 0;      ///< iteration × wall time of the step / its iterations
  StepError error;    ///< of the positions after this iteration, against the reference step
};

/// A solver's step from the reference trajectory's state at the beginning of a frame.
struct Trace {
  std::vector<IterationRow> rows;  ///< all up to kEveryIteration, then a selection, always the last
  Status status = Status::ok;      ///< how the step ended
  int iterations = 0;              ///< that the step took
  int contacts = 0;                ///< vertices pushed out, or pairs that repel, at its end
  double ms = 0;                   ///< wall time of the step, median of several

  static constexpr int kEveryIteration = 64;  ///< iterations that all have a row; beyond, rows are 5 % apart
};

/// The end of a frame on a solver's own trajectory.
struct FrameRow {
  int frame = 0;               ///< from 1
  double time = 0;             ///< [s]
  StepReport step;             ///< sums over the frame's steps
  bool has_reference = false;  ///< whether the last step was held against a reference step
  StepError error;             ///< of the last step, from the solver's own state; position: to the trajectory
  Strain strain;               ///< of mesh edges
  double kinetic_energy = 0;   ///< [J]
  double elastic_energy = 0;   ///< [J] of all elements
  double potential_energy = 0;  ///< [J] −Σ m g·x
  double ms = 0;                ///< wall time of the frame's steps
};

/// Everything about one solver.
struct SolverRecord {
  std::string name;              ///< of the method (solver/methods.h)
  std::string label;             ///< for plots
  std::string summary;           ///< one sentence on what the method does
  std::string limits;            ///< what of the model it leaves out, or ""
  std::string failure;           ///< why it ended early or never began, or ""
  bool refused = false;          ///< it never began
  bool diverged = false;         ///< it became infinite or absurdly stretched in the last of `frames`
  std::vector<FrameRow> frames;  ///< from frame 1
  std::vector<Trace> traces;     ///< one a trace frame, empty if it was refused
  std::vector<Points> pictures;  ///< positions of PictureMesh::vertices, one a picture frame
};

/// The states that traces begin from.
struct TraceStart {
  int frame = 0;              ///< the frame that begins there
  double time = 0;            ///< [s]
  ReferenceRecord reference;  ///< the reference step from there
};

/// What of the cloth is kept for pictures.
struct PictureMesh {
  std::vector<int> vertices;          ///< of the model
  std::vector<Stencil<3>> triangles;  ///< in `vertices`
  std::vector<int> frames;            ///< of which pictures were kept, ascending; 0 is the start
  int left_out_vertices = 0;          ///< of the model that pictures do not show
  int left_out_frames = 0;            ///< of the run that have no picture
};

/// What a sweep changes.
enum class SweepAxis {
  iterations,  ///< most iterations a step
  dt,          ///< length of a step [s]
  resolution,  ///< cells along every side of the cloth
};
template <>
struct EnumNames<SweepAxis> {
  static constexpr std::array<std::string_view, 3> names{"iterations", "dt", "resolution"};
};
/// One quantity that a sweep changes, and the values that it takes.
struct SweptAxis {
  SweepAxis axis = SweepAxis::iterations;  ///< which quantity
  std::vector<double> values;  ///< counts, steps [s], or times as many cells along every side of the cloth
};
/// Every value of the first axis, at every value of the others.
using SweepRequest = std::vector<SweptAxis>;

/// The settings of a place in a sweep: its values, and the comparison's own where nothing is swept.
struct SweepPoint {
  std::optional<int> iterations;  ///< most a step
  double dt = 0;                  ///< [s] the step that was taken
  double resolution = 1;          ///< cells along a side of the cloth over the scene's
};

/// One solver at one place of a sweep.
struct SweepRow {
  std::string solver;          ///< name of the method
  SweepPoint point;            ///< the settings it ran with
  int vertices = 0;            ///< of the cloth
  int frame = 1;               ///< whose first step was looked at, from the reference trajectory's state
  Status status = Status::ok;  ///< of the step, or the worst of a path
  int iterations = 0;          ///< that the step took
  StepError error;             ///< of that step
  std::optional<PositionError> path_error;  ///< of paths: at the sweep's end against the finest reference
  Strain strain;                            ///< of mesh edges, where that step or the path ends
  double ms = 0;                            ///< wall time of the step; of all steps of a path
};

/// What a sweep found: a row for every solver at every place.
struct SweepResult {
  SweepRequest request;          ///< as it was asked for
  bool has_paths = false;        ///< trajectories were run, since steps or cloth differ
  double end_time = 0;           ///< of paths: [s] when they are compared
  double finest_step = 0;        ///< of paths: [s] of the reference they are compared with
  double finest_resolution = 1;  ///< of paths: of that reference
  std::vector<SweepRow> rows;    ///< the first axis within the others, then solver as given; of paths: the
                                 ///< reference comes first
};

/// What a comparison found; `compare` makes it, compare_page and the JSON record show it.
struct Comparison {
  Scene scene;                          ///< as it was given to `compare`
  CommonStep step;                      ///< that all solvers took
  std::optional<int> iterations;        ///< forced upon all
  int every = 1;                        ///< reference steps are taken every so many frames
  int frames = 0;                       ///< asked for
  bool interrupted = false;             ///< CompareWatcher::stop ended it; what is here is complete
  int threads = 1;                      ///< that wall times are of
  int vertex_count = 0;                 ///< of all cloths together
  int triangle_count = 0;               ///< likewise
  double weight = 0;                    ///< [N] of the whole cloth
  std::vector<std::string> warnings;    ///< of the model
  std::vector<std::string> notes;       ///< what was set otherwise than in the scene, so that steps are alike
  std::vector<TraceStart> traces;       ///< where traces begin, by frame
  SolverRecord reference;               ///< its trajectory; its traces are empty
  int unconverged_reference_steps = 0;  ///< of all that were taken
  int reference_steps = 0;              ///< that were taken
  std::vector<SolverRecord> solvers;    ///< in the order asked for
  std::vector<SweepResult> sweeps;      ///< in the order asked for
  PictureMesh pictures;                 ///< what SolverRecord::pictures are of
};

}  // namespace muslin

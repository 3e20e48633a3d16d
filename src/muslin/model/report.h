#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// How a step or frame ended, the better first.
enum class Status {
  ok,             ///< as the method's own criteria ask
  not_converged,  ///< iterations ran out; the result stands
  diverged,       ///< the run cannot go on (Failure)
  cancelled,      ///< it was stopped; the state is that of the frame before
};
template <>
struct EnumNames<Status> {
  static constexpr std::array<std::string_view, 4> names{"ok", "not_converged", "diverged", "cancelled"};
};

/// Why a run cannot go on.
enum class Failure {
  none,
  not_finite,     ///< positions or velocities are no longer finite numbers
  overstretched,  ///< an edge is over a hundred times as long as at rest (kAbsurdStrain)
  over_budget,    ///< the frame took as many iterations as it may (SolverSettings::budget)
  stuck,          ///< a cloth stood still though its forces do not balance: the solver found no way on
};
template <>
struct EnumNames<Failure> {
  static constexpr std::array<std::string_view, 5> names{"none", "not_finite", "overstretched", "over_budget",
                                                         "stuck"};
};

/// What a solver says of one step; sums and extremes when it covers a frame.
struct StepReport {
  Status status = Status::ok;        ///< worst of the frame
  std::optional<PositionPath> path;  ///< of position: which code ran the last substep
  int iterations = 0;                ///< summed
  int restarts = 0;                  ///< Chebyshev restarts, summed
  int rebuilds = 0;                  ///< Hessians made anew within a step of quasi-Newton, summed
  int handovers = 0;                 ///< steps of quasi-Newton that Newton's method finished, summed
  int rejections = 0;                ///< steps that were thrown away and halved, summed
  int shortened = 0;                 ///< steps that were too fast for contact, and cut beforehand, summed
  int parts = 1;                     ///< into which a step is to be cut that was too long, and was not made
  int cut = 0;                       ///< vertices whose displacement contact cut short, summed
  int linear_iterations = 0;         ///< of conjugate gradients, summed
  int setups = 0;                    ///< set-ups of the multigrid cycle, summed
  int detections = 0;                ///< searches for pairs that can touch, of quasi-Newton, summed
  std::optional<double> distance_left;  ///< [m] estimated root mean square distance to the minimum at which a
                                        ///< step of quasi-Newton ended; the largest
  std::optional<double> time_error;  ///< [m] estimated error of the steps in time, root mean square over the
                                     ///< worst cloth, summed; of the implicit families
  int steps = 0;                     ///< accepted steps of an adaptive method, summed
  std::optional<double> residual;    ///< [N] root mean square of −∇F over vertices, of the last substep
  std::optional<double> residual_start;  ///< the same before the first iteration
  std::optional<double>
      lost_gravity;      ///< fraction of the free vertices' weight that the step left unbalanced
  double last_move = 0;  ///< [m] largest move of a vertex in the last iteration
  int contacts = 0;      ///< vertices pushed out, or pairs that repel, of the last substep
  double min_gap =
      std::numeric_limits<double>::infinity();  ///< [m] to colliders, smallest at a substep's end at which
                                                ///< they were where the scene has them
  double least_distance =
      std::numeric_limits<double>::infinity();  ///< [m] of cloth to anything, as far as it was looked for
  double blocked = 0;         ///< [m] that colliders or pins are short of their targets, of the
                              ///< last substep
  int blocked_collider = -1;  ///< which of them most; -1: a pin, or none
  bool jammed = false;        ///< they are, for cloth is in the way that cannot give way
  int stuck = -1;            ///< a vertex of a piece of cloth that stood still in the last substep though its
                             ///< forces do not balance; -1: none
  bool struck = false;       ///< cloth hit something in the last substep (PairContact::is_struck)
  int jumped = 0;            ///< vertices that a collider passed within a step, summed
  int jumped_collider = -1;  ///< which of them passed most in one step; -1: none
  double solve_ms = 0;       ///< wall time of iterations, with the contact that is part of them, summed
  double contact_ms = 0;     ///< wall time of contact after them, summed
};

/// Adds a step's report to that of the whole it is part of.
void accumulate(StepReport& whole, const StepReport& step);

/// Adds only what a step took, as one that is thrown away.
void add_work(StepReport& whole, const StepReport& step);

/// What a person looks at to judge a frame.
struct FrameReport {
  int frame = 0;                       ///< 0: the initial state
  double time = 0;                     ///< [s]
  StepReport step;                     ///< of all its substeps
  Failure failure = Failure::none;     ///< where step.status is diverged
  double strain_max = 0;               ///< largest |x₁−x₀|/L − 1 over mesh edges
  double strain_p99 = 0;               ///< 99th percentile of the same
  double strain_mean = 0;              ///< mean of its absolute value
  std::optional<double> limit_ratio;   ///< largest strain of warp and weft over the limit that they have
  double kinetic_energy = 0;           ///< [J]
  double elastic_energy = 0;           ///< [J]
  double potential_energy = 0;         ///< [J] −Σ m g·x
  Vec3 center_of_mass = Vec3::Zero();  ///< [m]
  std::optional<Vec3>
      free_fall_error;     ///< [m] centre of mass minus exact free fall, when nothing holds or blows
  std::int64_t work = 0;   ///< what it took of SolverSettings::budget
  double ms = 0;           ///< wall time of the frame
  std::uint64_t hash = 0;  ///< of the state
};

/// What happened, for people: "positions are no longer finite numbers"; "" for none.
std::string describe(Failure failure);

}  // namespace muslin

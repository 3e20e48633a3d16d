#pragma once
#include <optional>

#include "muslin/compare/reference_step.h"
#include "muslin/core/budget.h"
#include "muslin/simulation.h"

namespace muslin::web {

/// What the exact step says of the last step of a frame. Columns and entries are the model's.
struct Exactness {
  StepError error;            ///< of the step that was made
  ReferenceRecord reference;  ///< how good the exact step is itself
  Scalars distance;           ///< [m] a vertex: to the exact step
  Scalars residual;           ///< [N] a vertex: length of ∇F; empty where the reference tells nothing of F
  Scalars share_of_gap;       ///< a vertex (ReferenceStep::shares_of_gap); empty where there is no gap
};

/// Finds, beside the last step of every frame of a simulation, the minimum of the same step from the same
/// state. The simulation must outlive it, and stay where it is.
class ExactStep {
 public:
  explicit ExactStep(Simulation& simulation);
  ~ExactStep() { simulation_.watch_steps({}); }
  ExactStep(const ExactStep&) = delete;
  ExactStep& operator=(const ExactStep&) = delete;

  /// To be called after Simulation::step, before hands move. Takes no longer than until `latest`: then the
  /// frame has no exact step. A run by another integrator than backward Euler has none either.
  void measure(Stop::Clock::time_point latest);
  /// What was measured of the last frame, if it was.
  const std::optional<Exactness>& last() const { return last_; }
  /// The state is no longer what the last frame made.
  void forget() { last_.reset(); }

  /// The next step, iterate by iterate, with hands and what they carry at rest. The simulation stays as it
  /// is.
  Trace trace() const;

 private:
  struct Watched {
    State before;
    Input input;
    State after;
  };
  void make_references() { references_.emplace(simulation_.scene(), step_); }

  Simulation& simulation_;
  CommonStep step_;
  ContactForm form_;
  std::optional<References> references_;
  std::optional<Watched> watched_;
  std::optional<Exactness> last_;
};

}  // namespace muslin::web

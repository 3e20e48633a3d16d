#pragma once
#include "muslin/model/settings.h"
#include "muslin/solver/step_problem.h"

namespace muslin {

/// The energy of an undisturbed step: motion, elasticity and constant forces. Backward Euler's minimum never
/// has more of it than the step began with (of convex energies), an iterate may. Of BDF2 that is not so, nor
/// where something else does work: there the bound holds for everything.
class EnergyBound {
 public:
  /// `problem` must outlive it.
  EnergyBound(const StepProblem& problem, Integrator integrator);

  /// Whether a step to x has no more energy than it began with.
  bool holds(const Points& x) const;

  /// Goes back from x towards the start, where nothing moves, until the bound holds. Whether it had to.
  bool backtrack(Points& x) const;

 private:
  struct Energy {
    double sum = 0, size = 0;  // [J]; size: of what is summed
  };
  Energy energy(const Points& x, const Points& velocity) const;

  const StepProblem& problem_;
  bool is_bound_;
  Energy before_;
};

}  // namespace muslin

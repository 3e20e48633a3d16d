#pragma once
#include "muslin/model/settings.h"
#include "muslin/solver/step_problem.h"

namespace muslin {

/// Bounds the energy (kinetic, elastic, of constant forces) of an undisturbed step by its value at the start.
/// The minimum of backward Euler obeys this bound if the elastic energy is convex; an iterate may not. With
/// other integrators, or where wind, pins or contact do work, the bound always holds.
class EnergyBound {
 public:
  /// `problem` must outlive the object.
  EnergyBound(const StepProblem& problem, Integrator integrator);

  /// True if the energy at x does not exceed that at the start of the step.
  bool holds(const Points& x) const;

  /// Moves x towards the start until the bound holds. False if it held already.
  bool backtrack(Points& x) const;

 private:
  struct Energy {
    double sum = 0, size = 0;  // [J]; size: largest magnitude summed, for rounding
  };
  Energy energy(const Points& x, const Points& velocity) const;

  const StepProblem& problem_;
  bool is_bound_;
  Energy before_;
};

}  // namespace muslin

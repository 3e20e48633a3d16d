#pragma once
#include <functional>

#include "muslin/model/input.h"
#include "muslin/solver/objective.h"

namespace muslin {

/// What a minimiser is told of a step.
struct StepProblem {
  const Objective& objective;
  const Input& input;
  const Points& start;              ///< positions at the beginning of the step, pins not yet moved
  double h;                         ///< [s] of m/h², the inertia of F
  double duration;                  ///< [s] between the places at its beginning and at its end
  Points& blocked;                  ///< State::blocked
  std::vector<ElasticSlip>& slips;  ///< State::slips
  double struck;                    ///< StepHistory::struck
  bool& starts_with_newton;         ///< StepHistory::starts_with_newton
  std::vector<char>& touched;       ///< to be 1 for every vertex that contact pushes at the end; or empty
  std::function<void(const Points&)> show;  ///< to be called with every iterate
};

/// How a minimiser meets colliders and cloth.
enum class ContactForm {
  energy,  ///< colliders are a term of F at vertices (contact_energy.h); what is left is pushed out at the
           ///< end of the step
  held,    ///< it keeps colliders out itself; what is left is pushed out at the end of the step
  pairs,   ///< pairs of triangles are a term of F (pair_contact.h): it lets nothing through, and enters
           ///< residual and contacts
};

}  // namespace muslin

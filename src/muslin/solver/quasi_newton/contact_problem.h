#pragma once
#include "muslin/contact/pairs/pair_contact.h"
#include "muslin/linear/filter.h"
#include "muslin/model/report.h"
#include "muslin/solver/step_problem.h"

namespace muslin {

/// A step with contact: F with pairs of triangles as one of its terms, and the prescribed motion of bodies
/// and pins. `all` holds the places of all vertices, cloth first, then bodies. The constructor detects pairs
/// and fixes the normal forces of friction at the start of the step.
class ContactProblem {
 public:
  /// `wanted` is where cloth goes if nothing is in the way. `pairs` and `problem` must outlive the object;
  /// only one object at a time may use `pairs`.
  ContactProblem(PairContact& pairs, const StepProblem& problem, const Points& wanted);
  ContactProblem(const ContactProblem&) = delete;
  ContactProblem& operator=(const ContactProblem&) = delete;

  const StepProblem& step() const { return step_; }
  const Objective& objective() const { return objective_; }  ///< with pairs
  PairContact& pairs() { return pairs_; }
  const PairContact& pairs() const { return pairs_; }
  int cloth() const { return pairs_.scene().cloth_count(); }  ///< vertices of it

  // --- before a descent ---

  /// True if nothing meets while cloth goes from the start of the step to x and bodies go to their targets.
  bool is_clear(const Points& x) { return pairs_.is_clear(start_, way_to(x)); }

  /// Largest relative motion of two sides that meet on the way to x, in contact distances.
  double relative_motion(const Points& x) const { return pairs_.relative_motion(start_, way_to(x)); }

  /// All vertices at the start of the step.
  const Points& start() const { return start_; }

  /// Cloth at x and bodies at their targets; is_clear(x) must hold.
  Points arrived(const Points& x) const;

  /// First iterate of a descent: cloth moved by its velocity alone, as far as is safe, if F is less there
  /// than at the start; else the start. Friction at a start without motion would take sliding cloth for
  /// sticking.
  Points inertial_start();

  // --- prescribed motion ---

  /// Remaining motion of bodies and of held components of pins from `all` to their targets; zero elsewhere.
  Points prescribed_motion(const Points& all) const;

  /// Goes along a direction that takes bodies and pins all the way to their targets and cloth with them: all
  /// of it if there is room, else most of what is safe. Returns the step length.
  double advance(Points& all, const Points& direction) const;

  /// True if a direction closes a gap that is minimal already, although cloth gives way as well as it can.
  bool jams(const Points& all, const Points& direction) const;

  /// Blocks bodies that press on cloth which cannot give way, for the rest of the step; all pins if there is
  /// no such body. False if there is neither.
  bool block_jammed(const Points& all, const Points& prescribed);

  /// Blocks every body and pin that is not at its target. False if all are.
  bool block_all(const Points& all);

  /// Reports the largest distance of a body or pin from its target, and where blocked bodies are.
  void report_blocked(const Points& all, Points& blocked, StepReport& report) const;

  // --- pairs ---

  /// Makes sure that the pairs hold along at least half of a direction. True if they were detected anew.
  bool list_pairs_ahead(const Points& all, const Points& direction);

 private:
  Points way_to(const Points& x) const;
  Points motion_to(const Points& goal, const Points& all) const;

  PairContact& pairs_;
  const StepProblem& step_;
  Objective objective_;
  Filter held_;
  Points start_, targets_;
  Points goal_;  // targets_, except where blocked
};

/// Distance of a pair, over its radius, below which cloth counts as pressed and gets time to give way. The
/// barrier is 19 times as stiff there as at half the radius (Barrier::curvature).
inline constexpr double kPressed = 0.1;

}  // namespace muslin

#pragma once
#include "muslin/contact/pairs/pair_contact.h"
#include "muslin/linear/filter.h"
#include "muslin/model/report.h"
#include "muslin/solver/step_problem.h"

namespace muslin {

/// A step in which cloth may meet something: F with pairs of triangles as one of its terms, and the motion
/// that is prescribed to bodies and pins. Places `all` are those of all vertices, cloth first, then bodies.
/// Making it looks for pairs, and lags friction at the beginning of the step.
class ContactProblem {
 public:
  /// `wanted` is where cloth goes if nothing is in the way. `pairs` and `problem` must outlive it; one
  /// problem at a time has the pairs.
  ContactProblem(PairContact& pairs, const StepProblem& problem, const Points& wanted);
  ContactProblem(const ContactProblem&) = delete;
  ContactProblem& operator=(const ContactProblem&) = delete;

  const StepProblem& step() const { return step_; }
  const Objective& objective() const { return objective_; }  ///< with pairs
  PairContact& pairs() { return pairs_; }
  const PairContact& pairs() const { return pairs_; }
  int cloth() const { return pairs_.scene().cloth_count(); }  ///< vertices of it

  // --- before a descent ---

  /// Whether cloth comes from the beginning of the step to x, and bodies to their targets, without meeting
  /// anything.
  bool is_clear(const Points& x) { return pairs_.is_clear(start_, way_to(x)); }

  /// How far what meets on the way to x moves relative to each other, in thicknesses.
  double relative_motion(const Points& x) const { return pairs_.relative_motion(start_, way_to(x)); }

  /// All at the beginning of the step.
  const Points& start() const { return start_; }

  /// Cloth at x, for which is_clear(x) holds, and bodies at their targets.
  Points arrived(const Points& x) const;

  /// The inertial start of a descent: where cloth would be by its velocity alone, or as far on that way as it
  /// is safe, if F is less there than at the start. So what slides is not taken for what sticks.
  Points inertial_start();

  // --- prescribed motion ---

  /// What bodies and held components of pins still have to go from `all`; zero for all others.
  Points prescribed_motion(const Points& all) const;

  /// Goes along a direction, in which what is prescribed goes all the way to its target, and cloth gives way:
  /// all of it if there is room, else most of what is safe. The step length.
  double advance(Points& all, const Points& direction) const;

  /// Whether a direction in which cloth gives way as well as it can leads what is as near as can be nearer
  /// still.
  bool jams(const Points& all, const Points& direction) const;

  /// Blocks jammed colliders: bodies that press on what cannot give way stay where they are for the rest of
  /// the step, or all pins, if it is none. False if there is neither.
  bool block_jammed(const Points& all, const Points& prescribed);

  /// Blocks everything that is not at its target. Whether there was anything.
  bool block_all(const Points& all);

  /// Enters how far bodies and pins are from their targets, and where bodies are that are not there.
  void report_blocked(const Points& all, Points& blocked, StepReport& report) const;

  // --- pairs ---

  /// Looks for pairs along a direction, or half of it at least. Whether they had to be looked for.
  bool list_pairs_ahead(const Points& all, const Points& direction);

 private:
  Points way_to(const Points& x) const;
  Points motion_to(const Points& goal, const Points& all) const;

  PairContact& pairs_;
  const StepProblem& step_;
  Objective objective_;
  Filter held_;
  Points start_, targets_;
  Points goal_;  // targets_, but for what is blocked
};

/// Distance of a pair over its radius below which cloth is pressed, and cloth gets time to give way. At a
/// tenth the barrier is 19 times as stiff as at half (Barrier::curvature). Half or double: drape, fold and
/// twist keep their bits.
inline constexpr double kPressed = 0.1;

}  // namespace muslin

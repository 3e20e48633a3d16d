#pragma once
#include <cstdint>
#include <vector>

#include "muslin/geometry/distance.h"

namespace muslin {

/// What a method keeps of its earlier steps; methods of one step of one length keep nothing. Written by
/// Solver::step.
struct StepHistory {
  static constexpr int kMostParts = 1 << 21;  ///< a bound for numbers, not for methods

  Points positions{3, 0};           ///< one step ago [m], 3×n; empty but in two-step methods
  Points velocities{3, 0};          ///< likewise [m/s]; quasi_newton, too, keeps them, to guess the next step
  Points accelerations{3, 0};       ///< at the end of the step [m/s²]; of sdirk2 alone
  int parts = 1;                    ///< an adaptive method's next step is h / parts
  double struck = 0;                ///< [s] length of the last step, if cloth hit something in it
  bool starts_with_newton = false;  ///< quasi_newton's next step, as its last one was hard
};

/// How far the two sides of a pair in contact have slipped along their surfaces, elastically: what friction
/// pulls back.
struct ElasticSlip {
  PairKind kind;        ///< of the pair
  Stencil<4> vertices;  ///< of cloth, then of bodies (contact/pairs/scene_surfaces.h)
  Vec3 part;            ///< over the largest that friction allows, of side A: at most 1 long

  /// Every pair has one at most, and a list of them this order.
  bool operator<(const ElasticSlip& other) const {
    return kind != other.kind ? kind < other.kind : vertices < other.vertices;
  }
};

/// Exactly what a restart needs: the same state, model and controls give the same bits.
struct State {
  /// Most frames that a run may go on from: those to come still have numbers.
  static constexpr int kMostFrames = 1'000'000'000;
  /// Most steps that a run may go on from, likewise.
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 62;

  Points positions;       ///< [m], 3×n; written by Solver::step
  Points velocities;      ///< [m/s], 3×n; written by Solver::step
  double time = 0;        ///< [s]; written by Simulation
  std::int64_t step = 0;  ///< substeps taken; written by Simulation
  StepHistory history;    ///< of multi-step and adaptive methods; written by Solver::step
  Points blocked{3, 0};   ///< where vertices of colliders are [m] that cloth keeps from where they should be;
                          ///< empty: they are there; written by Solver::step
  std::vector<ElasticSlip> slips;  ///< of pairs with friction, in order; written by Solver::step
};

/// 64 bits of every member, word by word as FNV-1a takes bytes, each NaN as one: equal states have equal
/// hashes.
std::uint64_t hash(const State& state);

}  // namespace muslin

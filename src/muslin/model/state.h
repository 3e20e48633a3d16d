#pragma once
#include <cstdint>

#include "muslin/core/types.h"

namespace muslin {

/// Exactly what a restart needs.
struct State {
  Points positions;           ///< [m], 3×n; written by Solver::step
  Points velocities;          ///< [m/s], 3×n; written by Solver::step
  double time = 0;            ///< [s]; written by Simulation
  std::int64_t step = 0;      ///< substeps taken; written by Simulation
  int halvings = 0;           ///< an adaptive step is h / 2^halvings; written by solvers that adapt
  Points earlier_positions;   ///< one step ago [m], empty but in two-step methods; written by Solver::step
  Points earlier_velocities;  ///< [m/s], likewise
  Points held_up;             ///< where vertices of colliders are [m] that cloth keeps from where they should
                              ///< be; empty: they are there; written by Solver::step
  bool was_hard = false;      ///< the last step that met nothing took Newton's method many iterations;
                              ///< written by Solver::step
};

/// 64-bit FNV-1a over the bytes of every member: equal states have equal hashes.
std::uint64_t hash(const State& state);

}  // namespace muslin

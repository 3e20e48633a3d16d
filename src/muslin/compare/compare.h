#pragma once
#include <functional>

#include "muslin/compare/comparison.h"

namespace muslin {

/// What a comparison runs.
struct CompareOptions {
  std::vector<std::string> solvers;  ///< names of methods (solver/methods.h)
  std::optional<int> frames;         ///< absent: the scene's
  std::optional<int> substeps;       ///< absent: see common_step.h
  std::optional<int> iterations;     ///< forced upon all solvers
  std::optional<int> every;       ///< frames from one reference step to the next; absent: at most 100 in all
  std::vector<int> trace_frames;  ///< absent: the first, a third of the way, the last
  std::vector<SweepRequest> sweeps;  ///< run after the frames; empty: none
};

/// Whom a comparison tells, and who may end it. Every function may be empty.
struct CompareWatcher {
  std::function<void(const Comparison&)> began;             ///< the scene is built; no frame has run
  std::function<void(const Comparison&, int frame)> frame;  ///< all solvers have reached it
  std::function<void(const SweepRequest&, const SweepPoint&)> sweep;  ///< this point comes next
  std::function<bool()> stop;  ///< asked between steps of work: true ends with what is complete
};

/// Runs a scene under several solvers that take the same steps, beside the exact minimum of every step. A
/// solver that cannot run the scene or diverges says so in its record, and the others go on. Throws
/// Error(invalid) for unknown solvers, frames that are not there, and scenes that cannot be built.
Comparison compare(const Scene& scene, const CompareOptions& options, const CompareWatcher& watcher = {});

}  // namespace muslin

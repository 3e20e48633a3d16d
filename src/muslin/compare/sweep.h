#pragma once
#include "muslin/compare/compare.h"
#include "muslin/model/state.h"

namespace muslin {

/// Where a sweep looks: a comparison whose frames have been run.
struct SweepGround {
  const Model& model;
  const Comparison& comparison;
  const std::vector<State>& starts;  ///< one a trace of the comparison
};

/// Throws Error(invalid) for what cannot be swept over so many frames.
void check_sweep(const SweepRequest& request, const Scene& scene, int frames);

/// The step that a sweep takes where `dt` is asked for [s]: so many equal ones make up its whole time.
double swept_step(const Scene& scene, int frames, double dt);

/// "iterations", "dt@resolution"
std::string name_of(const SweepRequest& request);

/// Repeats steps with other settings. Iterations alone: one step from the state of every trace. All else: one
/// step from the beginning, and the trajectory to the tenth frame, or the last if that is sooner.
SweepResult sweep(const SweepGround& ground, const SweepRequest& request, const CompareWatcher& watcher);

}  // namespace muslin

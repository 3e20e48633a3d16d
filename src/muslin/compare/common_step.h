#pragma once
#include <string_view>

#include "muslin/compare/comparison.h"
#include "muslin/solver/methods.h"

namespace muslin {

/// The step of a comparison. Without `substeps`: as many a frame as the scene has if its family is implicit
/// in time, else one, for the many small steps of the others are part of those methods. The velocity loss is
/// that of the scene's family, divided among steps so that a second's stays.
CommonStep common_step(const Scene& scene, const Model& model, std::optional<int> substeps);

/// The same loss of velocity a second with a step of h seconds.
CommonStep with_step(const CommonStep& step, double h);

/// The scene's settings for a method in a comparison: one step of the common length with the common loss,
/// backward Euler, not adaptive; `iterations` replaces every family's number where given. The position-based
/// family keeps its sweeps a frame: what it loses in steps it gains in iterations.
SolverSettings settings_for(const Method& method, const Scene& scene, const CommonStep& step,
                            std::optional<int> iterations);

/// The reference: the minimum of F in every step, as exactly as numbers allow.
SolverSettings reference_settings(const Scene& scene, const CommonStep& step);

/// The same where pairs of triangles are a part of F: what families are held against that let nothing
/// through.
SolverSettings pair_reference_settings(const Scene& scene, const CommonStep& step);

/// The same settings for who runs whole frames, of as many common steps each.
SolverSettings over_frames(SolverSettings settings, const CommonStep& step);

/// What the reference is called among methods.
inline constexpr std::string_view kReference = "reference";

/// The scene as a method, or the reference, runs whole frames of it in a comparison. `model` is the scene's.
/// Throws Error(invalid) if there is no such method.
Scene scene_in_comparison(std::string_view method, const Scene& scene, const Model& model);

/// What of the scene's settings the common step overrules, a sentence each.
std::vector<std::string> overruled(const Scene& scene, const CommonStep& step);

}  // namespace muslin

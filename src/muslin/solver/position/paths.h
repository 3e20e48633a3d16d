#pragma once
#include <memory>
#include <vector>

#include "muslin/solver/position/fast_path.h"

namespace muslin {

using FastPaths = std::vector<std::unique_ptr<FastPath>>;

/// The fast paths that settings ask for, the one that is wanted most first.
FastPaths fast_paths(const PositionSettings& settings);

/// The first that runs the model with these controls, or null: then the general path does.
FastPath* first_without_obstacle(const FastPaths& paths, const Model& model, const Controls& controls);

/// What runs a model as its scene begins.
PositionPath path_taken(const PositionSettings& settings, const Model& model);

}  // namespace muslin

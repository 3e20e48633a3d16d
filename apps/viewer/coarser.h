#pragma once
#include <optional>

#include "muslin/model/scene.h"

/// The scene with half as many cells along either side of every grid, and its pins where they were, as near
/// as the mesh allows; nothing if no grid can spare any.
std::optional<muslin::Scene> coarser(const muslin::Scene& scene);

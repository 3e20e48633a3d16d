#pragma once
#include "muslin/model/scene.h"

namespace muslin {

/// Whether the garments of a scene are still being sewn on, or the body has not yet grown back [s].
bool is_dressing(const Scene& scene, double time);

/// The scene as it is run meanwhile: no gravity nor wind, its dress's damping and friction.
Scene while_dressing(Scene scene);

}  // namespace muslin

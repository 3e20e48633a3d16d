#pragma once
#include "muslin/model/model.h"
#include "muslin/model/scene.h"

namespace muslin {

/// The scene with `factor` times as many cells along both sides of every grid. Pins stay where they are, to
/// the nearest vertex; a `vertex_mass` becomes as much as keeps the cloth's mass. Throws Error(invalid) for
/// cloth that is no grid, and for more than a million vertices.
Scene at_resolution(const Scene& scene, double factor);

/// Positions [m] 3×n of a scene's cloth where another resolution of it has its vertices, linear between the
/// four around them.
Points sampled(const Points& positions, const Scene& scene, const Scene& other);

}  // namespace muslin

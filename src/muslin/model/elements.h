#pragma once
#include <string>
#include <vector>

#include "muslin/energy/energies.h"
#include "muslin/model/regions.h"
#include "muslin/model/rest_shape.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Triangles with texture coordinates that tell no direction of the warp, for they have no area; 0 for a
/// cloth without any.
int count_without_weave(const Cloth& cloth, const RestShape& rest);

/// What resists stretch and shear of a cloth whose scene does not say: springs on grids, baraff_witkin on
/// meshes. Not for cloth with springs given one by one.
Membrane membrane_of(const Cloth& cloth);

/// Appends the elements of a cloth whose vertices begin at `first`: springs given one by one, or membrane and
/// bending from the fabric of each triangle. Returns what the user should know, one sentence each.
std::vector<std::string> add_elements(const Cloth& cloth, const ClothFabrics& fabrics, const RestShape& rest,
                                      const Topology& topology, int first, Energies& energies);

/// The triangles of a cloth at rest, with their warp.
std::vector<RestTriangle> rest_triangles(const Cloth& cloth, const RestShape& rest);

}  // namespace muslin

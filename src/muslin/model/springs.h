#pragma once
#include "muslin/energy/spring.h"
#include "muslin/geometry/topology.h"
#include "muslin/model/regions.h"
#include "muslin/model/rest_shape.h"
#include "muslin/model/scene.h"

namespace muslin {

/// Appends the springs of one cloth whose vertices start at `first`: the scene's own constants, or those that
/// give a grid or mesh the fabric's membrane stiffness [N/m] in a homogeneous strain.
void add_springs(const Cloth& cloth, const ClothFabrics& fabrics, const RestShape& rest,
                 const Topology& topology, int first, SpringEnergy& springs);

}  // namespace muslin

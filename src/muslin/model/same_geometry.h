#pragma once
#include <vector>

#include "muslin/model/scene.h"

namespace muslin {

/// Whether two mesh files, read or not, put the same mesh in the same place.
bool same_geometry(const MeshFile& a, const MeshFile& b);

/// Whether colliders take the same room at all times: neither name nor friction takes any.
bool same_geometry(const std::vector<Collider>& a, const std::vector<Collider>& b);

}  // namespace muslin

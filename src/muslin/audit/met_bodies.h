#pragma once
#include <vector>

#include "muslin/model/model.h"
#include "muslin/model/motion.h"

namespace muslin {

/// A triangle of cloth that meets an analytic collider as contact sees it.
struct MetBody {
  int triangle, collider;
  Vec3 place;  ///< [m]
};

/// All triangles that do so, with cloth at these positions [m] and colliders placed so at a time [s]: what is
/// inside, or so near that contact cannot tell it from touching. By triangle, then by collider. Contact could
/// never keep these apart.
std::vector<MetBody> find_met_bodies(const Model& model, const Points& positions,
                                     const PlacedColliders& placed, double time);

}  // namespace muslin

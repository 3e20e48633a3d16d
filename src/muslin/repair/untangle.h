#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// A start after its repair, and what it took.
struct Untangled {
  Points positions;  ///< [m], 3×n
  int pairs_before;  ///< intersecting pairs of triangles: cloth with cloth, and cloth with bodies
  int pairs;         ///< that are left
  std::vector<std::pair<int, int>> in_bodies;  ///< of those: a triangle of cloth and the collider it meets
  int iterations;                              ///< that it took
  double largest_move;                         ///< of a vertex [m]
  /// Pairs that pins hold together wherever the rest goes: an edge between pinned vertices, or a triangle of
  /// them, meets such a triangle or a body. The second number of a body's is -1.
  std::vector<std::pair<int, int>> pinned = {};
};

/// Draws apart what intersects at time 0, without stepping: cloth with cloth, and cloth with enabled
/// colliders. Cloth that meets a collider with an inside, a closed mesh among them, goes out of it; elsewhere
/// lines of intersection shrink. Pinned axes stay. The number of pairs never grows on the way; it need not
/// reach zero: lines that run from border to border do not say which side is wrong. Positions [m], 3×n,
/// without any pair and neither inside a primitive nor on its surface come back as they are, and so do pieces
/// wholly inside a mesh: it may be their room. Where pins hold a pair together, what else does not come apart
/// within a few iterations is left. `tell` hears before every iteration how many pairs are left.
Untangled untangle(const Model& model, const Points& positions,
                   const std::function<void(const Untangled&)>& tell = {});

}  // namespace muslin

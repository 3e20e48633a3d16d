#pragma once
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// What the pins of one group hold.
struct PinReaction {
  int vertices = 0;              ///< held along some axis
  Vec3 reaction = Vec3::Zero();  ///< of the pins on the cloth, along held axes [N]
};

/// What cloth does to one collider.
struct ColliderLoad {
  int vertices = 0;              ///< of the cloth that lies on it: those whose force is counted
  Vec3 normal = Vec3::Zero();    ///< on the collider, along its normals [N]
  Vec3 friction = Vec3::Zero();  ///< on the collider, at right angles to its normals [N]
};

/// Forces between the cloth and what it hangs on or lies on.
struct Reactions {
  std::vector<PinReaction> pins;        ///< one a pin of the scene, cloth after cloth; last, what hands hold
  std::vector<ColliderLoad> colliders;  ///< one a collider of the scene
  Points vertices;  ///< 3×n [N], in the model's order: of pins and contact on every vertex
};

}  // namespace muslin

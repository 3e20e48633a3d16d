#pragma once
#include <cstdint>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/energy/anchor.h"
#include "muslin/model/scene.h"

namespace muslin {

/// A held vertex.
struct PinnedVertex {
  int vertex;  ///< in the model's order
  Vec3 fixed;  ///< 1 on held axes, 0 on free ones
  Vec3 place;  ///< where it is at time 0 [m]
  int motion;  ///< index into Controls::pin_motions
};

/// What pins do together.
struct PinMotion {
  Motion motion;               ///< of the places, from time 0 on
  Vec3 center = Vec3::Zero();  ///< of rotations [m]
};

/// All that may change between two frames of a run. Scripts, hands, the viewer and users of the library fill
/// the same fields; solvers meet them in Input. n is the number of vertices, in the model's order.
struct Controls {
  std::vector<PinnedVertex> pins;      ///< written by set_pins
  std::vector<PinMotion> pin_motions;  ///< that pins name
  Points free;                         ///< 3×n: 1 on free axes, 0 on held ones; written by set_pins
  Points inverse_mass;                 ///< 3×n [1/kg]: 1/mass on free axes, 0 on held ones; by set_pins
  std::vector<double> stitch_length;  ///< one an element of Model::energies.stitches: up to which it is slack
                                      ///< [m]; empty: no stitch acts
  AnchorEnergy pulls;                 ///< springs that draw vertices to places
  std::vector<Vec3> collider_offset;  ///< one a collider: from where its own motion has it [m]
  Vec3 gravity = Vec3::Zero();        ///< [m/s²]
  Wind wind;                          ///< velocity, density and gusts of the air
  Points force;                       ///< 3×n: further external forces [N]; empty: none
  std::uint64_t revision = 0;  ///< another one (next_revision) when pins or stencils of pulls are others:
                               ///< what solvers keep between steps may hold them

  /// Holds these vertices; `mass` is that of all [kg].
  void set_pins(std::vector<PinnedVertex> held, const Scalars& mass);
};

}  // namespace muslin

#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/energy/anchor.h"
#include "muslin/model/scene.h"

namespace muslin {

/// A held vertex, or one that a spring draws to its place.
struct PinnedVertex {
  int vertex;          ///< in the model's order
  Vec3 fixed;          ///< 1 on held axes, 0 on free ones
  Vec3 place;          ///< where it is at time 0 [m]
  int motion;          ///< index into Controls::pin_motions
  int fastening = -1;  ///< index into Controls::fastenings, which carries it instead; -1: none
};

/// What pins do together.
struct PinMotion {
  Motion motion;                   ///< of the places, from time 0 on
  Vec3 center = Vec3::Zero();      ///< of rotations [m]
  double since = 0;                ///< they act in frames that begin then or later [s] …
  double until = kInfinity;        ///< … and before then [s]
  std::optional<double> strength;  ///< of springs [N/m]; absent: they hold
  int follows = -1;                ///< the collider that carries them instead; −1: none

  /// Whether they act in a frame that begins at a time [s], which may be a rounding off.
  bool acts_at(double time) const {
    constexpr double kRounding = 1e-9;  // [s]
    return since <= time + kRounding && time + kRounding < until;
  }
};

/// Where a place is fastened to a collider, which carries it (model/fastening.h).
struct Fastening {
  int collider;     ///< index into Model::colliders
  Stencil<3> face;  ///< of a mesh that deforms, the vertices of its triangle there; else −1 each
  Vec3 weights;     ///< of the face's vertices, in the point that is nearest; their sum is 1
  Vec3 local;       ///< [m] the place in the collider's frame; of a face, from that point in the face's frame

  /// Whether a triangle carries it, not the collider as a whole.
  bool has_face() const { return face[0] >= 0; }
};

/// All that may change between two frames of a run. Scripts, hands, the viewer and users of the library fill
/// the same fields; solvers meet them in Input. n is the number of vertices, in the model's order.
struct Controls {
  std::vector<PinnedVertex> pins;      ///< written by set_pins
  std::vector<PinMotion> pin_motions;  ///< that pins name
  std::vector<Fastening> fastenings;   ///< likewise
  std::vector<PinnedVertex> pulled;    ///< that springs draw to their places: the first of `pulls`, in order
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
  /// Makes `pulls` the springs of `pulled`, and no others; who adds more connects them again.
  void set_springs(int vertex_count);
};

}  // namespace muslin

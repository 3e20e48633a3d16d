#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "muslin/core/types.h"
#include "muslin/model/controls.h"

namespace muslin {

/// A vertex between the fingers that pull.
struct Grip {
  int vertex;       ///< in the model's order
  Vec3 offset;      ///< from the pulled one, kept as it was when the pull began [m]
  double fraction;  ///< of the whole spring's stiffness, 0 to 1; those of a pull sum to 1
};

/// A spring that draws a piece of cloth to a place.
struct Pull {
  int vertex;               ///< that is pulled, the middle of the grips
  Vec3 place;               ///< where it is drawn to [m]
  double stiffness = 0;     ///< of the whole spring [N/m]
  double damping = 0;       ///< time constant τ of the spring [s]
  double reach = 0;         ///< longest stretch [m]
  std::vector<Grip> grips;  ///< the vertices that are drawn along, the pulled one among them
};

/// A vertex that was taken while the run went on, by a pin of the scene or by a hand.
struct Taken {
  int motion;                          ///< of the scene's pin, index into Controls::pin_motions; −1: a hand
  int vertex;                          ///< in the model's order
  Vec3 fixed;                          ///< PinnedVertex::fixed
  Vec3 place;                          ///< PinnedVertex::place [m]
  std::optional<Fastening> fastening;  ///< absent: nothing carries it

  /// Sorted by these, of which no two are alike.
  bool operator<(const Taken& other) const {
    return motion != other.motion ? motion < other.motion : vertex < other.vertex;
  }
};

/// All that hands do to a cloth at some moment, and pins that take later, in the model's numbers; written by
/// Hands.
struct Grasp {
  std::map<int, Vec3> held;  ///< vertex -> place [m]
  std::set<int> let_go;      ///< of the scene's pins
  std::vector<Taken> taken;  ///< sorted
  std::optional<Pull> pull;  ///< absent: nothing is pulled
  std::vector<Vec3> wanted;  ///< one a collider: its offset at the end of the next frame [m]
};

}  // namespace muslin

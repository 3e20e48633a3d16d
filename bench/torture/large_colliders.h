#pragma once
#include <string>

#include "muslin/model/scene.h"

namespace muslin::torture {

/// A sheet of half a metre that falls, or is thrown, onto a collider that may be far larger.
struct LargeCollider {
  Shape shape;
  double radius;  ///< of a ball, capsule or cylinder; half the side of a box; how far a plane's centre is [m]
  double gap;     ///< between sheet and surface [m]
  double tilt;    ///< [degrees] of the place on the surface: 0 is on top, 90 at the side
  bool fast = true;  ///< the sheet comes within a tenth of a second, at 1 m/s or more
};

/// The collider is turned so that the sheet is level, and gravity with it. It lies on its side: the sheet is
/// on the round side of capsules and cylinders.
Scene on_large(const LargeCollider& what, const std::string& family = "quasi_newton");

/// What came of a run.
struct Held {
  enum { held, refused, fell } how = held;
  std::string why;        ///< refused
  double least = 0;       ///< signed distance of a vertex to the surface in any frame [m]
  double iterations = 0;  ///< a frame
  int unconverged = 0;    ///< frames
  int contacts = 0;       ///< most in a frame
  double nearest = 0;  ///< [m] least distance at which pairs were at the end of any step, as the solver says
};

/// Runs a scene of one collider, unless its start is refused, and judges every frame by signed distances.
Held run_and_judge(const Scene& scene, int frames);

}  // namespace muslin::torture

#pragma once
#include "muslin/render/view.h"

/// A camera that a hand turns about what it looks at. Movements are in shares of the picture's height.
class CameraControl {
 public:
  /// Looks at all of the box, as pictures without a window do.
  void frame(const muslin::Box& box, double aspect);
  /// Turns about the target: to the right by x, over the top by y, never beyond it.
  void orbit(double x, double y);
  /// Moves with the picture: what lies at the target's depth follows the pointer.
  void pan(double x, double y);
  /// One notch of the wheel towards the target (> 0) or away from it.
  void zoom(double notches);

  const muslin::Camera& camera() const { return camera_; }

 private:
  muslin::Camera camera_;
};

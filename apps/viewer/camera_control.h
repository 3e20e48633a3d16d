#pragma once
#include <algorithm>

#include "muslin/render/view.h"

/// Parts of a picture that are covered by words, as fractions of its height (top, bottom) and width (left,
/// right).
struct Margins {
  double left = 0, right = 0, top = 0, bottom = 0;
};

/// What either covers.
inline Margins united(const Margins& a, const Margins& b) {
  return {std::max(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top),
          std::max(a.bottom, b.bottom)};
}

/// A camera that a hand turns about what it looks at. Movements are in fractions of the picture's height.
class CameraControl {
 public:
  /// Looks at all of the outline, as pictures without a window do.
  void frame(const muslin::Outline& outline, double aspect);
  /// Turns about the target: to the right by x, over the top by y, never beyond it.
  void orbit(double x, double y);
  /// Moves with the picture: what lies at the target's depth follows the pointer.
  void pan(double x, double y);
  /// One notch of the wheel towards the target (> 0) or away from it.
  void zoom(double notches);

  /// Moves no more than it must so that all points show between the margins of a picture of that aspect, at
  /// about the size they had; steps back where they have no room, unless a hand has chosen the distance: then
  /// their middle shows. True if it has moved.
  bool follow(const muslin::Points& points, double aspect, const Margins& margins);

  const muslin::Camera& camera() const { return camera_; }

 private:
  muslin::Camera camera_;
  bool zoomed_ = false;  ///< by hand
  double depth_ = 0;     ///< at which the camera follows [m]; 0: where the points are next
};

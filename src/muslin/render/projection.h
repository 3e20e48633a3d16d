#pragma once
#include "muslin/render/view.h"

// Matrices from the world to what a camera or a lamp sees.

namespace muslin {

/// A ball about cloth and solids.
struct Ball {
  Vec3 center = Vec3::Zero();
  double radius = 1;  ///< [m]
};
Ball ball_around(const Extent& box);

/// Of the discs that show planes, in radii of the stage: they fade into the backdrop, as which a level floor
/// looks anyway. A wall does not, and fades where it looks small, as then does the floor that it stands on.
inline constexpr double kFloorRadius = 5, kWallRadius = 15;

/// World to clip space of the camera, near and far planes about the stage and its planes.
Eigen::Matrix4d camera_clip(const View& view, const Ball& stage);

/// Rows right, up and towards a light that is far away, so long that the stage reaches from -1 to 1.
Mat3 light_axes(const Vec3& direction, const Ball& stage);

/// World to clip space of that light.
Eigen::Matrix4d light_clip(const Vec3& direction, const Ball& stage);

}  // namespace muslin

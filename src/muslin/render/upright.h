#pragma once
#include "muslin/render/view.h"

namespace muslin {

/// The turn that shows a scene upright: it takes the axis against gravity to y. That is the nearest of the
/// six ways along the axes, so that a scene with tilted gravity keeps its level floor; the identity without
/// gravity.
Mat3 upright(const Vec3& gravity);

/// Turns all that stands on a stage.
void turn(const Mat3& rotation, Stage& stage);
/// Likewise a camera.
Camera turned(const Mat3& rotation, const Camera& camera);

}  // namespace muslin

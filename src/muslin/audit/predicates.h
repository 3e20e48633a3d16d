#pragma once
#include "muslin/core/types.h"

// Which side of a plane or a line a point is on, exactly: right for all finite coordinates.

namespace muslin {

/// The side of the plane through a, b, c that d is on: 1 where their normal (b−a)×(c−a) points to, -1 the
/// other, 0 where all four lie in one plane.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The same in the picture along axis 0, 1 or 2: 1 where a, b, c turn counter-clockwise, that is from the
/// next axis to the one after it; 0 where they lie on one line.
int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

}  // namespace muslin

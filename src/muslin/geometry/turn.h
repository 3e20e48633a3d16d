#pragma once
#include "muslin/core/types.h"

namespace muslin {

/// Which way a path turns at b: 1 where a, b, c run counter-clockwise, -1 clockwise, 0 where they lie on one
/// line. Exact where products of coordinates neither overflow nor underflow.
int turn(const Vec2& a, const Vec2& b, const Vec2& c);

}  // namespace muslin

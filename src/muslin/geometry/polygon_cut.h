#pragma once
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// What keeps a polygon from being cut into triangles.
struct PolygonFault {
  /// Which fault it is.
  enum Kind {
    none,     ///< it can be cut
    crosses,  ///< sides `first` and `second` cross; side k runs from corner k to the next
    touches,  ///< corner `first` lies on side `second`
    meets,    ///< the polygon comes to one place at corners `first` and `second`, and crosses itself there
    bent,     ///< corner `first` lies far from the mean plane
    large,    ///< not convex, with more corners than kMostCorners
  };
  Kind kind = none;  ///< which it is
  int first = 0;     ///< a corner or side, from 0
  int second = 0;    ///< another
};

/// What becomes of a reader's polygons: triangles as their shape asks, or fans whatever it is, where only the
/// places of a known mesh are read (frames of one that deforms).
enum class PolygonsAs { cut, fans };

/// Corners that a polygon may have which is no fan.
constexpr int kMostCorners = 10000;

/// Cuts a polygon of at least three corners [m] into triangles of corners by their numbers, and appends them.
/// They have its sides and no others on their outline, turn as it does, and lie over one another nowhere, as
/// seen along the normal of its mean plane. Where the fan from corner 0 is such a cut without triangles that
/// are almost lines, it is this fan. Else it is the constrained Delaunay triangulation there. A polygon may
/// go twice along one line, forth and back, to a hole in it. Corners on one line stay a fan, without area.
PolygonFault cut_polygon(const std::vector<Vec3>& corners, std::vector<Stencil<3>>& triangles);

}  // namespace muslin

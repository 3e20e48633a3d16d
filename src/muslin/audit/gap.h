#pragma once
#include "muslin/core/types.h"

namespace muslin {

/// How near two elements come.
struct ElementGap {
  double distance;  ///< [m]
  Vec3 place;       ///< between the nearest points [m]
  bool facing;      ///< the nearest points lie inside both elements, not on the border of one
};

ElementGap vertex_triangle_gap(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);
ElementGap edge_edge_gap(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

/// A point seen from a triangle: the foot of the perpendicular as a + s (b−a) + t (c−a), and whether that
/// lies inside; false for a triangle without area.
struct Foot {
  double s, t;
  bool inside;
};
Foot foot_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

/// Two lines' common perpendicular: its feet a0 + s (a1−a0) and b0 + t (b1−b0), and whether both lie inside
/// the segments; false for parallel ones.
Foot feet_on_edges(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1);

}  // namespace muslin

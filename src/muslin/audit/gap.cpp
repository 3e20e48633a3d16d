#include "muslin/audit/gap.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace muslin {

namespace {

ElementGap between(const Vec3& p, const Vec3& q, bool facing) {
  return {(p - q).norm(), (p + q) / 2, facing};
}

ElementGap vertex_edge_gap(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length2 = along.squaredNorm();
  const double s = length2 > 0 ? std::clamp(along.dot(p - a) / length2, 0.0, 1.0) : 0;
  return between(p, a + s * along, false);
}

ElementGap nearer(const ElementGap& a, const ElementGap& b) { return b.distance < a.distance ? b : a; }

}  // namespace

Foot foot_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, normal = ab.cross(ac);
  const double square = normal.squaredNorm();
  if (!(square > 0)) return {0, 0, false};
  const double s = ap.cross(ac).dot(normal) / square, t = ab.cross(ap).dot(normal) / square;
  return {s, t, s >= 0 && t >= 0 && s + t <= 1};
}

Foot feet_on_edges(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 a = a1 - a0, b = b1 - b0, apart = b0 - a0, normal = a.cross(b);
  const double square = normal.squaredNorm();
  if (!(square > 0)) return {0, 0, false};
  const double s = apart.cross(b).dot(normal) / square, t = apart.cross(a).dot(normal) / square;
  return {s, t, s >= 0 && s <= 1 && t >= 0 && t <= 1};
}

ElementGap vertex_triangle_gap(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Foot foot = foot_on_triangle(p, a, b, c);
  if (foot.inside) return between(p, a + foot.s * (b - a) + foot.t * (c - a), true);
  return nearer(nearer(vertex_edge_gap(p, a, b), vertex_edge_gap(p, b, c)), vertex_edge_gap(p, c, a));
}

ElementGap edge_edge_gap(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Foot feet = feet_on_edges(a0, a1, b0, b1);
  if (feet.inside) return between(a0 + feet.s * (a1 - a0), b0 + feet.t * (b1 - b0), true);
  return nearer(nearer(vertex_edge_gap(a0, b0, b1), vertex_edge_gap(a1, b0, b1)),
                nearer(vertex_edge_gap(b0, a0, a1), vertex_edge_gap(b1, a0, a1)));
}

}  // namespace muslin

#include "muslin/model/rest_shape.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace muslin {

namespace {

// Where the ends of an edge, and the tip that faces it, lie in one of its triangles.
struct Ends {
  int p, q, tip;  // vertices of the pattern
};

Ends ends_in(const RestShape& rest, int triangle, int p, int q) {
  const Stencil<3>&cloth = rest.cloth.triangles[triangle], &pattern = rest.pattern.triangles[triangle];
  const auto slot = [&](int v) { return std::find(cloth.begin(), cloth.end(), v) - cloth.begin(); };
  const auto a = slot(p), b = slot(q);
  return {pattern[a], pattern[b], pattern[3 - a - b]};
}

}  // namespace

Local<3> RestShape::corners(int triangle) const {
  return gather(pattern.positions, pattern.triangles[triangle]);
}

double RestShape::area(int triangle) const {
  const Local<3> x = corners(triangle);
  return triangle_area(x.col(0), x.col(1), x.col(2));
}

double RestShape::edge_length(const Hinge& hinge) const {
  const auto length = [&](int triangle) {
    const Ends ends = ends_in(*this, triangle, hinge.v0, hinge.v1);
    return (pattern.positions.col(ends.q) - pattern.positions.col(ends.p)).norm();
  };
  const double one = length(hinge.triangle0);
  if (hinge.triangle1 < 0) return one;
  const double other = length(hinge.triangle1);
  return one == other ? one : (one + other) / 2;
}

double RestShape::tip_distance(const Hinge& hinge) const {
  const int own = ends_in(*this, hinge.triangle0, hinge.v0, hinge.v1).tip;
  return (tip_beyond(hinge, hinge.triangle0) - pattern.positions.col(own)).norm();
}

Vec3 RestShape::tip_beyond(const Hinge& hinge, int first) const {
  const int second = first == hinge.triangle0 ? hinge.triangle1 : hinge.triangle0;
  const Ends own = ends_in(*this, first, hinge.v0, hinge.v1);
  const Ends other = ends_in(*this, second, hinge.v0, hinge.v1);
  const Points& x = pattern.positions;
  if (x.col(own.p) == x.col(other.p) && x.col(own.q) == x.col(other.q)) return x.col(other.tip);

  const Vec3 other_edge = x.col(other.q) - x.col(other.p), to_tip = x.col(other.tip) - x.col(other.p);
  const double along = to_tip.dot(other_edge) / other_edge.squaredNorm();
  const double height = other_edge.cross(to_tip).norm() / other_edge.norm();
  const Vec3 edge = x.col(own.q) - x.col(own.p), to_own = x.col(own.tip) - x.col(own.p);
  const Vec3 inward = (to_own - to_own.dot(edge) / edge.squaredNorm() * edge).normalized();
  return x.col(own.p) + along * edge - height * inward;
}

}  // namespace muslin

#include "muslin/repair/solid.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/maths.h"

namespace muslin {

namespace {

std::vector<Box> boxes_of(const Points& x, const std::vector<Stencil<3>>& triangles) {
  std::vector<Box> boxes;
  for (const auto& [a, b, c] : triangles)
    boxes.push_back(
        {x.col(a).cwiseMin(x.col(b)).cwiseMin(x.col(c)), x.col(a).cwiseMax(x.col(b)).cwiseMax(x.col(c))});
  return boxes;
}

/// Six times the volume that triangles which face outwards enclose; negative if they face inwards.
double enclosed(const Points& x, const std::vector<Stencil<3>>& triangles) {
  const Vec3 origin = x.col(triangles[0][0]);
  double sum = 0;
  for (const auto& [a, b, c] : triangles)
    sum += (x.col(a) - origin).cross(x.col(b) - origin).dot(x.col(c) - origin);
  return sum;
}

}  // namespace

Solid::Solid(const Points& positions, std::vector<Stencil<3>> triangles)
    : triangles_(std::move(triangles)), tree_(boxes_of(positions, triangles_)) {
  int first = triangles_[0][0], last = first;
  for (const Stencil<3>& triangle : triangles_)
    for (const int v : triangle) {
      first = std::min(first, v);
      last = std::max(last, v);
    }
  for (Stencil<3>& triangle : triangles_)
    for (int& v : triangle) v -= first;
  positions_ = positions.middleCols(first, last - first + 1);
  around_ = build_incidence(static_cast<int>(positions_.cols()), triangles_);
}

Closest Solid::closest_to(const Vec3& place, int triangle) const {
  const auto& [a, b, c] = triangles_[triangle];
  Quad corners;
  corners << place, positions_.col(a), positions_.col(b), positions_.col(c);
  return closest_points(PairKind::point_triangle, corners);
}

/// The normal of the triangle, or of those that meet in the edge or the corner that bears the nearest point,
/// by their angles there: a place behind it is inside [Baerentzen 2005].
Vec3 Solid::outwards_at(const Closest& closest, int triangle) const {
  std::vector<int> bearing;
  for (int k = 0; k < 3; ++k)
    if (closest.weight[k + 1] != 0) bearing.push_back(triangles_[triangle][k]);
  Vec3 sum = Vec3::Zero();
  for (int i = around_.begin[bearing[0]]; i < around_.begin[bearing[0] + 1]; ++i) {
    const Stencil<3>& other = triangles_[around_.item[i]];
    const auto has = [&](int v) { return std::find(other.begin(), other.end(), v) != other.end(); };
    if (!std::all_of(bearing.begin(), bearing.end(), has)) continue;
    const int k = around_.slot[i];
    const Vec3 corner = positions_.col(other[k]);
    const Vec3 next = positions_.col(other[(k + 1) % 3]) - corner;
    const Vec3 last = positions_.col(other[(k + 2) % 3]) - corner;
    const Vec3 normal = next.cross(last);
    sum += (bearing.size() == 1 ? maths::atan2(normal.norm(), next.dot(last)) : 1) * normal.normalized();
  }
  return sum.normalized();
}

SurfacePoint Solid::surface_at(const Vec3& place) const {
  const int nearest = tree_.nearest(place, [&](int t) { return closest_to(place, t).distance; });
  MUSLIN_ASSERT(nearest >= 0);
  const Closest closest = closest_to(place, nearest);
  const Vec3 outwards = outwards_at(closest, nearest);
  if (closest.distance == 0) return {0, outwards};
  return closest.normal.dot(outwards) < 0 ? SurfacePoint{-closest.distance, -closest.normal}
                                          : SurfacePoint{closest.distance, closest.normal};
}

bool Solid::may_be_within(double distance, const Vec3& place) const {
  const bool is_plane = triangles_.size() == 1;  // what is behind it is in no box
  return is_plane || tree_.distance_to(place) <= distance;
}

std::optional<std::vector<Stencil<3>>> facing_outwards(const Points& positions,
                                                       std::vector<Stencil<3>> triangles) {
  std::vector<Stencil<2>> sides, back;
  for (const Stencil<3>& triangle : triangles)
    for (int k = 0; k < 3; ++k) {
      sides.push_back({triangle[k], triangle[(k + 1) % 3]});
      back.push_back({triangle[(k + 1) % 3], triangle[k]});
    }
  std::sort(sides.begin(), sides.end());
  std::sort(back.begin(), back.end());
  if (sides != back) return std::nullopt;
  if (enclosed(positions, triangles) < 0)
    for (auto& [a, b, c] : triangles) std::swap(b, c);
  return triangles;
}

}  // namespace muslin

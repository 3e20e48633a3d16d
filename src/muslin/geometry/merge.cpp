#include "muslin/geometry/merge.h"

#include "muslin/geometry/spatial_hash.h"

namespace muslin {

std::vector<int> merged_points(const Points& points, double distance) {
  std::vector<int> first(points.cols());
  if (points.cols() == 0) return first;
  const SpatialHash hash(points, distance);
  for (int k = 0; k < points.cols(); ++k) {
    first[k] = k;
    hash.for_each_within(points.col(k), distance, [&](int other, const Vec3&) {
      if (other < first[k] && first[other] == other) first[k] = other;
    });
  }
  return first;
}

}  // namespace muslin

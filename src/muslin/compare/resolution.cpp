#include "muslin/compare/resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/check.h"

namespace muslin {

namespace {

constexpr double kMostVertices = 1e6;

int vertex_count(const Grid& grid) { return grid.points[0] * grid.points[1]; }

// The place of a vertex along a side that has other cells now; from the end where the index is below 0.
int moved(int index, int points, int other_points) {
  if (index < 0) return -1 - moved(-1 - index, points, other_points);
  return static_cast<int>(std::lround(index * (other_points - 1.0) / (points - 1.0)));
}

void move_pins(const Grid& from, const Grid& to, std::vector<Pin>& pins) {
  const auto [nu, nv] = from.points;
  for (Pin& pin : pins) {
    for (auto& [i, j] : pin.grid) {
      i = moved(i, nu, to.points[0]);
      j = moved(j, nv, to.points[1]);
    }
    for (int& vertex : pin.vertices)
      vertex = moved(vertex / nu, nv, to.points[1]) * to.points[0] + moved(vertex % nu, nu, to.points[0]);
  }
}

/// Which two of n points a fraction of a side lies between, and how far behind the first.
struct Between {
  int first;
  double behind;
};
Between between(int index, int points, int other_points) {
  const double place = index * (other_points - 1.0) / (points - 1.0);
  const int first = std::min(static_cast<int>(place), other_points - 2);
  return {first, place - first};
}

}  // namespace

Scene at_resolution(const Scene& scene, double factor) {
  Scene other = scene;
  double count = 0;
  for (Cloth& cloth : other.cloths) {
    if (!cloth.grid)
      throw Error(ErrorKind::invalid,
                  fmt::format("sweep resolution: cloth \"{}\" is a mesh, only grids have other resolutions",
                              cloth.name));
    const Grid grid = *cloth.grid;
    const auto finer = [&](int points) { return std::max(1.0, std::round(factor * (points - 1))) + 1; };
    count += finer(grid.points[0]) * finer(grid.points[1]);
    if (!(count <= kMostVertices))
      throw Error(
          ErrorKind::invalid,
          fmt::format("sweep resolution: {:.4g} times the cells along a side make {:.3g} vertices, at most "
                      "{:.3g} (the reference has twice the cells of the finest)",
                      factor, count, kMostVertices));
    for (int& points : cloth.grid->points) points = static_cast<int>(finer(points));
    move_pins(grid, *cloth.grid, cloth.pins);
    if (cloth.vertex_mass) *cloth.vertex_mass *= double(vertex_count(grid)) / vertex_count(*cloth.grid);
  }
  return other;
}

Points sampled(const Points& positions, const Scene& scene, const Scene& other) {
  int count = 0, first = 0, k = 0;
  for (const Cloth& cloth : other.cloths) count += vertex_count(*cloth.grid);
  Points places(3, count);
  for (size_t c = 0; c < other.cloths.size(); ++c) {
    const auto [nu, nv] = scene.cloths[c].grid->points;
    const auto [mu, mv] = other.cloths[c].grid->points;
    for (int j = 0; j < mv; ++j)
      for (int i = 0; i < mu; ++i) {
        const auto [a, s] = between(i, mu, nu);
        const auto [b, t] = between(j, mv, nv);
        const int corner = first + b * nu + a;
        places.col(k++) = (1 - t) * ((1 - s) * positions.col(corner) + s * positions.col(corner + 1)) +
                          t * ((1 - s) * positions.col(corner + nu) + s * positions.col(corner + nu + 1));
      }
    first += nu * nv;
  }
  return places;
}

}  // namespace muslin

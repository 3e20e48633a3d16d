#pragma once
#include "muslin/contact/pairs/candidates.h"
#include "muslin/core/random.h"
#include "muslin/geometry/sheet.h"
#include "property/long_double_distance.h"

// Sheets for tests of contact, and an intersection test that shares nothing with the library.

namespace muslin::contact_test {

/// points × points vertices over [0, 1]² of the x-z plane, at a height [m].
inline Mesh flat_sheet(int points, double height = 0) {
  return make_sheet({points, points}, {0, height, 0}, Vec3::UnitX(), Vec3::UnitZ(), Diagonals::alternating);
}

/// A number in [-1, 1).
inline double draw(std::uint64_t seed, int id, int k) { return 2 * random_unit(seed, id, k) - 1; }

/// One random vector a vertex, each component within ± size.
inline Points noise(int count, double size, std::uint64_t seed) {
  Points vectors(3, count);
  for (int v = 0; v < count; ++v)
    for (int k = 0; k < 3; ++k) vectors(k, v) = size * draw(seed, v, k);
  return vectors;
}

/// All pairs without a common vertex: what a caller may ask of each.
template <class Visit>
void for_each_pair(const Surfaces& surfaces, const Visit& visit) {
  for (int v = 0; v < surfaces.vertex_count(); ++v)
    for (const auto& [a, b, c] : surfaces.triangles)
      if (v != a && v != b && v != c) visit(PairKind::point_triangle, Stencil<4>{v, a, b, c});
  for (size_t e = 0; e < surfaces.edges.size(); ++e)
    for (size_t f = e + 1; f < surfaces.edges.size(); ++f) {
      const auto& [a, b] = surfaces.edges[e];
      const auto& [c, d] = surfaces.edges[f];
      if (a != c && a != d && b != c && b != d) visit(PairKind::edge_edge, Stencil<4>{a, b, c, d});
    }
}

inline Quad corners(const Points& x, const Stencil<4>& vertices) {
  Quad quad;
  for (int k = 0; k < 4; ++k) quad.col(k) = x.col(vertices[k]);
  return quad;
}

/// How many edges pass through a triangle that they share no vertex with, by signs of volumes in long double.
inline int count_crossings(const Surfaces& surfaces, const Points& x) {
  using reference::Real;
  const auto volume = [&](int p, int a, int b, int c) {
    const reference::Vec3L o = x.col(p).cast<Real>();
    const reference::Vec3L u = x.col(a).cast<Real>() - o, v = x.col(b).cast<Real>() - o,
                           w = x.col(c).cast<Real>() - o;
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
  };
  const auto apart = [&](int p, int q, int a, int b, int c) {  // boxes of the two
    const Vec3 edge_low = x.col(p).cwiseMin(x.col(q)), edge_high = x.col(p).cwiseMax(x.col(q));
    const Vec3 low = x.col(a).cwiseMin(x.col(b)), high = x.col(a).cwiseMax(x.col(b));
    return (edge_low.array() > high.cwiseMax(x.col(c)).array()).any() ||
           (edge_high.array() < low.cwiseMin(x.col(c)).array()).any();
  };
  int crossings = 0;
  for (const auto& [p, q] : surfaces.edges)
    for (const auto& [a, b, c] : surfaces.triangles) {
      if (p == a || p == b || p == c || q == a || q == b || q == c) continue;
      if (apart(p, q, a, b, c)) continue;
      if ((volume(p, a, b, c) > 0) == (volume(q, a, b, c) > 0)) continue;
      const bool left = volume(p, q, a, b) > 0;
      crossings += left == (volume(p, q, b, c) > 0) && left == (volume(p, q, c, a) > 0);
    }
  return crossings;
}

}  // namespace muslin::contact_test

#include "muslin/geometry/geodesic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <queue>

#include "muslin/core/maths.h"

namespace muslin {

EdgeLengths edge_lengths(int vertex_count, const std::vector<Stencil<3>>& triangles,
                         const std::vector<Stencil<2>>& edges, const std::vector<double>& lengths) {
  const auto key = [](int a, int b) { return Stencil<2>{std::min(a, b), std::max(a, b)}; };
  std::map<Stencil<2>, double> length_of;
  for (size_t e = 0; e < edges.size(); ++e) length_of[key(edges[e][0], edges[e][1])] = lengths[e];
  EdgeLengths surface{triangles, {}, build_incidence(vertex_count, triangles)};
  for (const Stencil<3>& t : triangles) {
    std::array<double, 3> opposite;
    for (int k = 0; k < 3; ++k) opposite[k] = length_of.at(key(t[(k + 1) % 3], t[(k + 2) % 3]));
    surface.length.push_back(opposite);
  }
  return surface;
}

namespace {

// The distance of a vertex c whose distances to p and q are known, from those of p and q; `edge` is |pq|.
double unfolded(double from_p, double from_q, double edge, double p_to_c, double q_to_c) {
  const double along_edges = std::min(from_p + p_to_c, from_q + q_to_c);
  if (!std::isfinite(from_p + from_q)) return along_edges;
  // In the plane, p at 0 and q on the x axis: the source lies below, c above.
  const double x = (from_p * from_p - from_q * from_q + edge * edge) / (2 * edge);
  const double c = (p_to_c * p_to_c - q_to_c * q_to_c + edge * edge) / (2 * edge);
  const double depth = std::sqrt(std::max(0.0, from_p * from_p - x * x));
  const double height = std::sqrt(std::max(0.0, p_to_c * p_to_c - c * c));
  if (!(depth + height > 0)) return along_edges;
  const double crossing = x + (c - x) * depth / (depth + height);
  if (crossing < 0 || crossing > edge) return along_edges;
  return maths::hypot(c - x, depth + height);
}

}  // namespace

std::vector<double> geodesic_distances(const EdgeLengths& surface, int source) {
  constexpr double kGain = 1e-9;  // fraction by which a distance must shrink to be passed on
  const int vertex_count = static_cast<int>(surface.about.begin.size()) - 1;
  std::vector<double> distance(vertex_count, std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
  distance[source] = 0;
  front.push({0, source});
  while (!front.empty()) {
    const auto [reached, v] = front.top();
    front.pop();
    if (reached > distance[v]) continue;  // it was nearer by another way
    for (int r = surface.about.begin[v]; r < surface.about.begin[v + 1]; ++r) {
      const Stencil<3>& t = surface.triangles[surface.about.item[r]];
      const std::array<double, 3>& length = surface.length[surface.about.item[r]];
      const int k = surface.about.slot[r];
      for (const auto& [other, target] : {std::pair{(k + 1) % 3, (k + 2) % 3}, {(k + 2) % 3, (k + 1) % 3}}) {
        const double found =
            unfolded(distance[v], distance[t[other]], length[target], length[other], length[k]);
        if (!(found < (1 - kGain) * distance[t[target]])) continue;
        distance[t[target]] = found;
        front.push({found, t[target]});
      }
    }
  }
  return distance;
}

}  // namespace muslin

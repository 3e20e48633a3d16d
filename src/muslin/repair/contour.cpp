#include "muslin/repair/contour.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace muslin {

namespace {

constexpr double kTogether = 10;    // weight of a line's mean pull beside a bend's own
constexpr double kGlancing = 0.05;  // sine between edge and triangle, at least: the pull grows as its inverse

/// The unit vector along the line of intersection from an edge into the triangle beside it with that tip.
Vec3 way_into(const Points& x, const Vec3& edge_start, const Vec3& along, int tip, const Vec3& normal) {
  Vec3 inwards = x.col(tip) - edge_start;
  inwards -= inwards.dot(along) * along;
  const Vec3 way = normal.cross(along.cross(inwards)).normalized();
  return way.dot(inwards) < 0 ? Vec3(-way) : way;
}

/// −∂length/∂d of an edge E that moves by d past a triangle with normal N. The bend goes to
/// p + d − E (N·d)/(N·E), and the line on from there in directions R into the triangles beside the edge, so
/// that its length changes by −ΣR·d + (E·ΣR)(N·d)/(N·E).
Vec3 pull_of(const Points& x, const Hinge& hinge, const Stencil<3>& triangle) {
  const Vec3 corner = x.col(triangle[0]), start = x.col(hinge.v0);
  const Vec3 normal = (x.col(triangle[1]) - corner).cross(x.col(triangle[2]) - corner).normalized();
  const Vec3 along = (x.col(hinge.v1) - start).normalized();
  Vec3 ways = way_into(x, start, along, hinge.tip0, normal);
  if (hinge.tip1 >= 0) ways += way_into(x, start, along, hinge.tip1, normal);
  const double sine = normal.dot(along);
  return ways - along.dot(ways) / std::copysign(std::max(std::abs(sine), kGlancing), sine) * normal;
}

/// Pairs joined to lines. Every pair stands for two nodes, for either of its triangles may be the first; a
/// line has its first triangles on one surface and its second ones on the other.
class Lines {
 public:
  explicit Lines(const IndexPairs& pairs) : pairs_(pairs), parent_(2 * pairs.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  /// The node of a pair, or -1 if that is none.
  int node(int first, int second) const {
    const std::pair<int, int> pair = std::minmax(first, second);
    const auto place = std::lower_bound(pairs_.begin(), pairs_.end(), pair);
    if (first < 0 || place == pairs_.end() || *place != pair) return -1;
    return static_cast<int>(2 * (place - pairs_.begin())) + (first < second ? 0 : 1);
  }
  static int reversed(int node) { return node ^ 1; }

  void join(int a, int b) {
    parent_[line(a)] = line(b);
    parent_[line(reversed(a))] = line(reversed(b));
  }
  int line(int node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

 private:
  const IndexPairs& pairs_;
  std::vector<int> parent_;
};

/// Adds to every pull the mean of its line. `nodes`: one a piercing.
void pull_together(Lines& lines, const std::vector<int>& nodes, size_t node_count,
                   std::vector<Piercing>& piercings) {
  std::vector<Vec3> sum(node_count, Vec3::Zero());
  std::vector<int> count(node_count);
  for (size_t i = 0; i < piercings.size(); ++i) {
    const int there = lines.line(nodes[i]), back = lines.line(Lines::reversed(nodes[i]));
    sum[there] += piercings[i].pull;
    sum[back] -= piercings[i].pull;
    ++count[there];
    ++count[back];
  }
  for (size_t i = 0; i < piercings.size(); ++i) {
    const int line = lines.line(nodes[i]);
    piercings[i].pull += kTogether / count[line] * sum[line];
  }
}

/// (edge, triangle): the sides of each triangle of a pair with the other triangle; sorted, each once.
IndexPairs sides_with_triangles(const std::vector<Stencil<3>>& triangles, const Topology& topology,
                                const IndexPairs& pairs) {
  IndexPairs found;
  const auto add_sides = [&](const Stencil<3>& corner, int other) {
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(corner[k], corner[(k + 1) % 3]);
      const auto edge = std::lower_bound(topology.edges.begin(), topology.edges.end(), Stencil<2>{low, high});
      found.emplace_back(static_cast<int>(edge - topology.edges.begin()), other);
    }
  };
  for (const auto& [a, b] : pairs) {
    add_sides(triangles[a], b);
    add_sides(triangles[b], a);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

bool pierces(const Points& x, const Stencil<2>& edge, const Stencil<3>& triangle, Piercing& piercing) {
  for (const int v : edge)
    if (std::find(triangle.begin(), triangle.end(), v) != triangle.end()) return false;
  const Vec3 p = x.col(edge[0]), along = x.col(edge[1]) - p;
  const Vec3 a = x.col(triangle[0]) - p, b = x.col(triangle[1]) - p, c = x.col(triangle[2]) - p;
  const Vec3 normal = (b - a).cross(c - a);
  const double start = -normal.dot(a), end = normal.dot(along - a);
  if ((start > 0) == (end > 0)) return false;
  // The edge's line passes the three sides in one sense if it passes within them.
  const Vec3 turn(b.cross(c).dot(along), c.cross(a).dot(along), a.cross(b).dot(along));
  if (start < end ? turn.minCoeff() < 0 : turn.maxCoeff() > 0) return false;
  const double s = start / (start - end);
  piercing = {edge, triangle, {1 - s, s}, turn / turn.sum(), Vec3::Zero()};
  return true;
}

std::vector<Piercing> find_piercings(const Points& positions, const std::vector<Stencil<3>>& triangles,
                                     const Topology& topology, const IndexPairs& pairs) {
  std::vector<Piercing> piercings;
  std::vector<int> nodes;
  Lines lines(pairs);
  for (const auto& [e, t] : sides_with_triangles(triangles, topology, pairs)) {
    const Hinge& hinge = topology.hinges[e];
    Piercing piercing;
    if (!pierces(positions, topology.edges[e], triangles[t], piercing)) continue;
    piercing.pull = pull_of(positions, hinge, triangles[t]);
    piercings.push_back(piercing);
    const int a = lines.node(hinge.triangle0, t), b = lines.node(hinge.triangle1, t);
    if (a >= 0 && b >= 0) lines.join(a, b);
    nodes.push_back(std::max(a, b));
  }
  pull_together(lines, nodes, 2 * pairs.size(), piercings);
  return piercings;
}

}  // namespace muslin

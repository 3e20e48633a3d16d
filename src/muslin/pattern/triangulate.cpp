#include "muslin/pattern/triangulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>

#include "muslin/core/check.h"

namespace muslin {

namespace {

__extension__ typedef __int128 Wide;
/// A place on the grid, and the largest coordinate of one, so that no determinant below overflows.
using Place = std::array<std::int64_t, 2>;
constexpr double kCells = 0x1p22;  // a metre

int sign_of(Wide value) { return (value > 0) - (value < 0); }

/// 1 where a, b, c turn counter-clockwise, 0 where they lie on a line.
int orient(const Place& a, const Place& b, const Place& c) {
  return sign_of(Wide(b[0] - a[0]) * (c[1] - a[1]) - Wide(b[1] - a[1]) * (c[0] - a[0]));
}

/// 1 where d is within the circle through a, b, c, which turn counter-clockwise.
int in_circle(const Place& a, const Place& b, const Place& c, const Place& d) {
  const std::int64_t ax = a[0] - d[0], ay = a[1] - d[1], bx = b[0] - d[0], by = b[1] - d[1], cx = c[0] - d[0],
                     cy = c[1] - d[1];
  const auto square = [](std::int64_t x, std::int64_t y) { return Wide(x) * x + Wide(y) * y; };
  return sign_of(square(ax, ay) * (Wide(bx) * cy - Wide(by) * cx) +
                 square(bx, by) * (Wide(cx) * ay - Wide(cy) * ax) +
                 square(cx, cy) * (Wide(ax) * by - Wide(ay) * bx));
}

/// Triangles by their directed edges, each of which knows the vertex across.
class Triangulation {
 public:
  explicit Triangulation(std::vector<Place> places) : places_(std::move(places)) {
    std::int64_t size = 1;
    for (const Place& p : places_) size = std::max({size, p[0], p[1]});
    const int n = static_cast<int>(places_.size());
    places_.insert(places_.end(), {{-3 * size, -3 * size}, {6 * size, -3 * size}, {-3 * size, 6 * size}});
    add(n, n + 1, n + 2);
    last_ = {n, n + 1, n + 2};
    for (int v = 0; v < n; ++v) insert(v);
  }

  /// Makes a segment an edge, and keeps it.
  void force(int u, int v) {
    constexpr int kMostFlips = 1'000'000;
    std::deque<Stencil<2>> crossing = crossing_edges(u, v);
    int flips = 0;
    while (!crossing.empty()) {
      const auto [a, b] = crossing.front();
      crossing.pop_front();
      const int c = across(a, b), d = across(b, a);
      if (++flips > kMostFlips) throw Error(ErrorKind::invalid, "the outline meets itself");
      if (side(d, c, a) * side(d, c, b) >= 0) {  // not convex yet
        crossing.push_back({a, b});
        continue;
      }
      flip(a, b, c, d);
      if (c != u && c != v && d != u && d != v && crosses(c, d, u, v)) crossing.push_back({c, d});
    }
    forced_[key(u, v)] = forced_[key(v, u)] = 1;
  }

  /// Flips edges that are not forced until all are Delaunay's.
  void settle() {
    std::deque<Stencil<2>> edges;
    for (const Stencil<3>& t : triangles())
      for (int k = 0; k < 3; ++k)
        if (t[k] < t[(k + 1) % 3]) edges.push_back({t[k], t[(k + 1) % 3]});
    while (!edges.empty()) {
      const auto [a, b] = edges.front();
      edges.pop_front();
      const int c = across(a, b), d = across(b, a);
      if (c < 0 || d < 0 || forced_.contains(key(a, b))) continue;
      if (in_circle(places_[a], places_[b], places_[c], places_[d]) <= 0) continue;
      flip(a, b, c, d);
      for (const Stencil<2>& edge : {Stencil<2>{a, d}, Stencil<2>{d, b}, Stencil<2>{b, c}, Stencil<2>{c, a}})
        edges.push_back(edge);
    }
  }

  /// Those within the forced edges, each from its least vertex, sorted.
  std::vector<Stencil<3>> inside() const {
    const int n = static_cast<int>(places_.size()) - 3;
    std::unordered_map<std::uint64_t, char> outside;
    std::vector<Stencil<3>> stack, kept;
    const auto visit = [&](int a, int b) {
      const int c = across(a, b);
      if (c < 0 || !outside.try_emplace(key(a, b), 1).second) return;
      outside[key(b, c)] = outside[key(c, a)] = 1;
      stack.push_back({a, b, c});
    };
    visit(n, n + 1);
    while (!stack.empty()) {
      const Stencil<3> t = stack.back();
      stack.pop_back();
      for (int k = 0; k < 3; ++k)
        if (const int a = t[k], b = t[(k + 1) % 3]; !forced_.contains(key(a, b))) visit(b, a);
    }
    for (const Stencil<3>& t : triangles())
      if (!outside.contains(key(t[0], t[1]))) kept.push_back(t);
    return kept;
  }

 private:
  static std::uint64_t key(int a, int b) {
    return (std::uint64_t{static_cast<std::uint32_t>(a)} << 32) | static_cast<std::uint32_t>(b);
  }
  int across(int a, int b) const {
    const auto found = across_.find(key(a, b));
    return found == across_.end() ? -1 : found->second;
  }
  void add(int a, int b, int c) {
    across_[key(a, b)] = c;
    across_[key(b, c)] = a;
    across_[key(c, a)] = b;
    around_[a] = b;
    around_[b] = c;
    around_[c] = a;
  }
  void remove(int a, int b, int c) {
    across_.erase(key(a, b));
    across_.erase(key(b, c));
    across_.erase(key(c, a));
  }
  int side(int a, int b, int c) const { return orient(places_[a], places_[b], places_[c]); }
  bool crosses(int a, int b, int c, int d) const {
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  }

  /// The edge ab of the triangles abc and bad becomes cd.
  void flip(int a, int b, int c, int d) {
    remove(a, b, c);
    remove(b, a, d);
    add(c, a, d);
    add(d, b, c);
  }

  void insert(int v) {
    auto [a, b, c] = last_;
    for (bool found = false; !found;) {
      found = true;
      for (int k = 0; k < 3 && found; ++k) {
        if (side(a, b, v) < 0) {
          c = across(b, a);
          std::swap(a, b);
          found = false;
        } else {
          const int first = a;
          a = b;
          b = c;
          c = first;
        }
      }
    }
    for (int k = 0; k < 3; ++k) {
      if (side(a, b, v) == 0) return split_edge(v, a, b, c);
      const int first = a;
      a = b;
      b = c;
      c = first;
    }
    remove(a, b, c);
    add(a, b, v);
    add(b, c, v);
    add(c, a, v);
    last_ = {a, b, v};
    legalise(v, {{a, b}, {b, c}, {c, a}});
  }

  void split_edge(int v, int a, int b, int c) {
    const int d = across(b, a);
    for (const int w : {a, b, c, d})
      if (w >= 0 && places_[w] == places_[v])
        throw Error(ErrorKind::invalid, "the outline is in one place twice");
    remove(a, b, c);
    remove(b, a, d);
    add(b, c, v);
    add(c, a, v);
    add(a, d, v);
    add(d, b, v);
    last_ = {b, c, v};
    legalise(v, {{b, c}, {c, a}, {a, d}, {d, b}});
  }

  /// Edges across from a new vertex [Lawson 1977].
  void legalise(int v, std::vector<Stencil<2>> edges) {
    while (!edges.empty()) {
      const auto [a, b] = edges.back();
      edges.pop_back();
      const int d = across(b, a);
      if (d < 0 || in_circle(places_[a], places_[b], places_[v], places_[d]) <= 0) continue;
      flip(a, b, v, d);
      last_ = {v, a, d};
      edges.push_back({a, d});
      edges.push_back({d, b});
    }
  }

  std::deque<Stencil<2>> crossing_edges(int u, int v) const {
    std::deque<Stencil<2>> edges;
    if (across(u, v) >= 0 || across(v, u) >= 0) return edges;
    const int start = around_.at(u);
    int a = start, b = across(u, a);
    const auto leads_on = [&] { return side(u, v, a) < 0 && side(u, v, b) > 0 && side(a, b, v) < 0; };
    while (!leads_on()) {
      a = b;
      b = across(u, a);
      if (a == start) throw Error(ErrorKind::invalid, "the outline touches itself");
    }
    while (true) {  // the edge a b, a on the right of the segment
      edges.push_back({a, b});
      const int next = across(b, a);
      if (next == v) return edges;
      const int where = side(u, v, next);
      if (where == 0) throw Error(ErrorKind::invalid, "the outline touches itself");
      (where < 0 ? a : b) = next;
    }
  }

  std::vector<Stencil<3>> triangles() const {
    std::vector<Stencil<3>> all;
    for (const auto& [edge, c] : across_) {
      const int a = static_cast<int>(edge >> 32), b = static_cast<int>(edge & 0xFFFFFFFFu);
      if (a < b && a < c) all.push_back({a, b, c});
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  std::vector<Place> places_;
  std::unordered_map<std::uint64_t, int> across_;
  std::unordered_map<std::uint64_t, char> forced_;
  std::unordered_map<int, int> around_;  ///< of every vertex, one that an edge leads to
  Stencil<3> last_{};
};

/// Points by cells of a square grid.
class PointGrid {
 public:
  explicit PointGrid(double cell) : cell_(cell) {}
  void add(const Vec2& p) { cells_[cell_of(p)].push_back(p); }
  /// Whether any is nearer than a distance, which is at most a cell.
  bool has_within(double distance, const Vec2& p) const {
    const auto [i, j] = cell_of(p);
    for (int k = i - 1; k <= i + 1; ++k)
      for (int l = j - 1; l <= j + 1; ++l)
        if (const auto found = cells_.find({k, l}); found != cells_.end())
          for (const Vec2& other : found->second)
            if ((other - p).squaredNorm() < distance * distance) return true;
    return false;
  }

 private:
  std::array<int, 2> cell_of(const Vec2& p) const {
    return {static_cast<int>(std::floor(p.x() / cell_)), static_cast<int>(std::floor(p.y() / cell_))};
  }
  double cell_;
  std::map<std::array<int, 2>, std::vector<Vec2>> cells_;
};

/// Where a horizontal line meets an outline, in order.
std::vector<double> crossings_at(const std::vector<Vec2>& outline, double y) {
  std::vector<double> at;
  for (size_t k = 0; k < outline.size(); ++k) {
    const Vec2 &a = outline[k], &b = outline[(k + 1) % outline.size()];
    if ((a.y() > y) != (b.y() > y)) at.push_back(a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
  }
  std::sort(at.begin(), at.end());
  return at;
}

std::vector<Vec2> lattice_in(const std::vector<Vec2>& outline, double edge, const PointGrid& border,
                             double kept) {
  Vec2 low = outline[0], high = outline[0];
  for (const Vec2& p : outline) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double height = edge * std::sqrt(3.0) / 2;
  std::vector<Vec2> points;
  bool shifted = false;
  for (double y = low.y() + height / 2; y < high.y(); y += height, shifted = !shifted) {
    const std::vector<double> at = crossings_at(outline, y);
    for (size_t k = 0; k + 1 < at.size(); k += 2) {
      const double first = low.x() + (shifted ? edge / 2 : 0);
      for (double x = first + edge * std::ceil((at[k] - first) / edge); x < at[k + 1]; x += edge)
        if (!border.has_within(kept, {x, y})) points.push_back({x, y});
    }
  }
  return points;
}

bool contains(const std::vector<Vec2>& outline, const Vec2& p) {
  const std::vector<double> at = crossings_at(outline, p.y());
  return (std::upper_bound(at.begin(), at.end(), p.x()) - at.begin()) % 2 == 1;
}

/// The centre of a triangle's circle, and its radius over the shortest side.
std::pair<Vec2, double> circle_of(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = b - a, v = c - a;
  const double twice = 2 * (u.x() * v.y() - u.y() * v.x());
  const Vec2 way((v.y() * u.squaredNorm() - u.y() * v.squaredNorm()) / twice,
                 (u.x() * v.squaredNorm() - v.x() * u.squaredNorm()) / twice);
  return {a + way, way.norm() / std::min({u.norm(), v.norm(), (c - b).norm()})};
}

}  // namespace

FlatMesh triangulate(std::vector<Vec2> outline, const std::vector<Vec2>& inside) {
  const int border = static_cast<int>(outline.size());
  outline.insert(outline.end(), inside.begin(), inside.end());
  Vec2 low = outline[0];
  for (const Vec2& p : outline) low = low.cwiseMin(p);
  std::vector<Place> places;
  for (const Vec2& p : outline) {
    const Vec2 at = (p - low) * kCells;
    places.push_back({std::llround(at.x()), std::llround(at.y())});
  }
  Triangulation triangulation(std::move(places));
  for (int v = 0; v < border; ++v) triangulation.force(v, (v + 1) % border);
  triangulation.settle();
  return {std::move(outline), triangulation.inside()};
}

FlatMesh mesh_of_outline(const std::vector<Vec2>& outline, double edge) {
  constexpr double kFromBorder = 0.62, kApart = 0.55;  // of an edge
  constexpr int kParts = 4;                            // of a side of the outline, by which it is seen
  constexpr int kRounds = 4;
  constexpr double kThin = 1.3;  // circle's radius over the shortest side: angles below 22.6 degrees
  PointGrid border(edge), all(edge);
  for (size_t k = 0; k < outline.size(); ++k)
    for (int part = 0; part < kParts; ++part)
      border.add(outline[k] + double(part) / kParts * (outline[(k + 1) % outline.size()] - outline[k]));
  for (const Vec2& p : outline) all.add(p);
  std::vector<Vec2> inside = lattice_in(outline, edge, border, kFromBorder * edge);
  for (const Vec2& p : inside) all.add(p);
  FlatMesh mesh = triangulate(outline, inside);
  for (int round = 0; round < kRounds; ++round) {
    const size_t before = inside.size();
    for (const auto& [a, b, c] : mesh.triangles) {
      const auto [centre, ratio] = circle_of(mesh.points[a], mesh.points[b], mesh.points[c]);
      if (!(ratio > kThin) || !contains(outline, centre) || border.has_within(kApart * edge / 2, centre) ||
          all.has_within(kApart * edge, centre))
        continue;
      inside.push_back(centre);
      all.add(centre);
    }
    if (inside.size() == before) break;
    mesh = triangulate(outline, inside);
  }
  return mesh;
}

}  // namespace muslin

#include "muslin/audit/surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "muslin/audit/box_grid.h"
#include "muslin/audit/gap.h"
#include "muslin/audit/predicates.h"
#include "muslin/audit/triangles.h"

namespace muslin {

namespace {

// --- boxes -------------------------------------------------------------------------------------------

struct ElementBoxes {
  std::vector<Extent> vertices, edges, triangles;
};

/// What an element keeps around itself: the least of what its vertices keep [m].
template <std::size_t N>
double kept_around(const Stencil<N>& element, const Scalars& kept) {
  double least = kInfinity;
  for (const int v : element) least = std::min(least, kept[v]);
  return least;
}

template <std::size_t N>
std::vector<Extent> boxes_of(const std::vector<Stencil<N>>& elements, const Points& x) {
  std::vector<Extent> boxes;
  boxes.reserve(elements.size());
  for (const Stencil<N>& element : elements) boxes.push_back(box_of(x, element));
  return boxes;
}

/// box(element) of every vertex, edge and triangle.
template <class Box>
ElementBoxes boxes_of_all(const Surface& surface, const Box& box) {
  ElementBoxes boxes;
  boxes.vertices.reserve(surface.piece.size());
  boxes.edges.reserve(surface.edges.size());
  boxes.triangles.reserve(surface.triangles.size());
  for (int v = 0; v < static_cast<int>(surface.piece.size()); ++v)
    boxes.vertices.push_back(box(Stencil<1>{v}));
  for (const Stencil<2>& edge : surface.edges) boxes.edges.push_back(box(edge));
  for (const Stencil<3>& triangle : surface.triangles) boxes.triangles.push_back(box(triangle));
  return boxes;
}

/// Boxes of elements and what they keep around themselves.
ElementBoxes grown_boxes(const Surface& surface, const Points& x, const Scalars& kept) {
  return boxes_of_all(surface,
                      [&](const auto& element) { return box_of(x, element, kept_around(element, kept)); });
}

/// Boxes of what elements sweep on their way between two frames.
ElementBoxes swept_boxes(const Surface& surface, const Points& from, const Points& to) {
  return boxes_of_all(surface, [&](const auto& element) {
    Extent box = box_of(from, element);
    const Extent later = box_of(to, element);
    box.take_in(later.low);
    box.take_in(later.high);
    return box;
  });
}

// --- pairs of elements -------------------------------------------------------------------------------

/// The places of a vertex and of the corners of a triangle, or of the ends of two edges.
using Corners = std::array<Vec3, 4>;

Stencil<4> vertices_of(const Surface& surface, PairOf kind, int first, int second) {
  if (kind == PairOf::vertex_triangle) {
    const auto& [a, b, c] = surface.triangles[second];
    return {first, a, b, c};
  }
  const auto& [a, b] = surface.edges[first];
  const auto& [c, d] = surface.edges[second];
  return {a, b, c, d};
}

/// Whether a pair of elements with these vertices is looked at.
bool counts(const Surface& surface, int a, int b) {
  const bool is_cloth_a = a < surface.cloth_vertices, is_cloth_b = b < surface.cloth_vertices;
  return is_cloth_a != is_cloth_b || (is_cloth_a && surface.cloth_meets_cloth);
}

bool share_vertex(PairOf kind, const Stencil<4>& v) {
  const int own = kind == PairOf::vertex_triangle ? 1 : 2;  // vertices of the first element
  return std::find_first_of(v.begin(), v.begin() + own, v.begin() + own, v.end()) != v.begin() + own;
}

Corners places(const Points& x, const Stencil<4>& v) {
  return {x.col(v[0]), x.col(v[1]), x.col(v[2]), x.col(v[3])};
}

double kept_by(PairOf kind, const Stencil<4>& v, const Scalars& kept) {
  const auto& [a, b, c, d] = v;
  return kind == PairOf::vertex_triangle
             ? kept[a] + kept_around(Stencil<3>{b, c, d}, kept)
             : kept_around(Stencil<2>{a, b}, kept) + kept_around(Stencil<2>{c, d}, kept);
}

ElementGap gap_of(PairOf kind, const Corners& p) {
  return kind == PairOf::vertex_triangle ? vertex_triangle_gap(p[0], p[1], p[2], p[3])
                                         : edge_edge_gap(p[0], p[1], p[2], p[3]);
}

bool face_each_other(PairOf kind, const Corners& p) {
  return kind == PairOf::vertex_triangle ? foot_on_triangle(p[0], p[1], p[2], p[3]).inside
                                         : feet_on_edges(p[0], p[1], p[2], p[3]).inside;
}

/// Whether elements that changed sides touch on the straight way from one frame to the next. Edges also
/// change sides by turning past each other at a distance; that is no passage.
bool touch_on_the_way(PairOf kind, const Corners& before, const Corners& after) {
  constexpr int kSteps = 32, kHalvings = 50;
  constexpr double kTouch = 1e-6;  // gap over the size of the pair
  const auto at = [&](double s) {
    Corners p;
    for (int i = 0; i < 4; ++i) p[i] = (1 - s) * before[i] + s * after[i];
    return p;
  };
  const auto side = [&](double s) {
    const Corners p = at(s);
    return (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]) > 0;
  };
  for (int step = 0; step < kSteps; ++step) {
    double low = double(step) / kSteps, high = double(step + 1) / kSteps;
    const bool first = side(low);
    if (side(high) == first) continue;
    for (int k = 0; k < kHalvings; ++k) (side((low + high) / 2) == first ? low : high) = (low + high) / 2;
    const Corners p = at(low);
    const double size = std::max({(p[1] - p[0]).norm(), (p[2] - p[0]).norm(), (p[3] - p[0]).norm()});
    if (gap_of(kind, p).distance <= kTouch * size) return true;
  }
  return false;
}

int side_of(PairOf kind, const Corners& p) {
  if (!face_each_other(kind, p)) return 0;
  const auto volume = orient3d(p[0], p[1], p[2], p[3]);
  return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

bool passed(PairOf kind, const Corners& before, const Corners& after) {
  return side_of(kind, before) * side_of(kind, after) < 0 && touch_on_the_way(kind, before, after);
}

/// The vertices with an edge that turned by more than a right angle. On the straight way it shrinks to less
/// than 0.71 of its length, which cloth does not do.
std::vector<char> turned_vertices(const Surface& surface, const Points& before, const Points& after) {
  std::vector<char> turned(surface.piece.size(), 0);
  for (const auto& [a, b] : surface.edges)
    if ((before.col(b) - before.col(a)).dot(after.col(b) - after.col(a)) < 0) turned[a] = turned[b] = 1;
  return turned;
}

/// All pairs without a common vertex whose boxes overlap and whose vertices `accept(kind, vertices)` takes,
/// as they are in `x`.
template <class Accept>
std::vector<ElementPair> search(const Surface& surface, const ElementBoxes& boxes, const Points& x,
                                const Accept& accept) {
  std::vector<ElementPair> found;
  const auto is_wanted = [&](PairOf kind) {
    return [&, kind](int first, int second) {
      if (kind == PairOf::vertex_triangle && surface.piece[first] < 0) return false;
      const Stencil<4> vertices = vertices_of(surface, kind, first, second);
      return counts(surface, vertices[0], vertices[3]) && !share_vertex(kind, vertices) &&
             accept(kind, vertices);
    };
  };
  const auto add = [&](PairOf kind, const std::vector<std::pair<int, int>>& pairs) {
    for (const auto& [first, second] : pairs) {
      const ElementGap gap = gap_of(kind, places(x, vertices_of(surface, kind, first, second)));
      found.push_back({kind, first, second, gap.place, gap.distance});
    }
  };
  using enum PairOf;
  add(vertex_triangle, find_pairs(boxes.vertices, BoxGrid(boxes.triangles), is_wanted(vertex_triangle)));
  add(edge_edge, find_pairs(BoxGrid(boxes.edges), is_wanted(edge_edge)));
  return found;
}

// --- pieces ------------------------------------------------------------------------------------------

/// Numbers connected pieces by their lowest vertex; -1 for vertices without triangles.
std::vector<int> connected_pieces(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  std::vector<int> parent(vertex_count);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<bool> used(vertex_count, false);
  for (const auto& [a, b, c] : triangles) {
    for (const int v : {a, b, c}) used[v] = true;
    for (const int v : {b, c}) {
      const auto [low, high] = std::minmax({root(a), root(v)});
      parent[high] = low;
    }
  }
  std::vector<int> piece(vertex_count, -1);
  for (int v = 0; v < vertex_count; ++v)
    if (used[v]) piece[v] = root(v);
  return piece;
}

}  // namespace

Surface make_surface(int vertex_count, const std::vector<Stencil<3>>& triangles) {
  Surface surface{triangles, {}, connected_pieces(vertex_count, triangles), vertex_count};
  surface.edges.reserve(3 * triangles.size());
  for (const Stencil<3>& corner : triangles)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax({corner[k], corner[(k + 1) % 3]});
      surface.edges.push_back({low, high});
    }
  std::sort(surface.edges.begin(), surface.edges.end());
  surface.edges.erase(std::unique(surface.edges.begin(), surface.edges.end()), surface.edges.end());
  surface.edges.shrink_to_fit();
  return surface;
}

Surface joined(Surface surface, const std::vector<Stencil<2>>& pairs) {
  std::vector<int> first(surface.piece.size());
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](int v) {
    while (first[v] != v) v = first[v] = first[first[v]];
    return v;
  };
  for (const auto& [a, b] : pairs) {
    const auto [low, high] = std::minmax({root(a), root(b)});
    first[high] = low;
  }
  for (Stencil<3>& triangle : surface.triangles)
    for (int& v : triangle) v = root(v);
  for (Stencil<2>& edge : surface.edges) {
    for (int& v : edge) v = root(v);
    std::sort(edge.begin(), edge.end());
  }
  surface.piece = connected_pieces(static_cast<int>(surface.piece.size()), surface.triangles);
  return surface;
}

Stencil<4> vertices_of(const Surface& surface, const ElementPair& pair) {
  return vertices_of(surface, pair.kind, pair.first, pair.second);
}

int side_of(const Surface& surface, const ElementPair& pair, const Points& positions) {
  return side_of(pair.kind, places(positions, vertices_of(surface, pair)));
}

double kept_by(const Surface& surface, const ElementPair& pair, const Scalars& kept) {
  return kept_by(pair.kind, vertices_of(surface, pair), kept);
}

std::vector<std::pair<int, int>> intersecting_pairs(const Surface& surface, const Points& positions) {
  const std::vector<Extent> boxes = boxes_of(surface.triangles, positions);
  return find_pairs(BoxGrid(boxes), [&](int first, int second) {
    const Stencil<3>&a = surface.triangles[first], &b = surface.triangles[second];
    return counts(surface, a[0], b[0]) && triangles_meet(positions, a, b);
  });
}

std::vector<ElementPair> find_gaps(const Surface& surface, const Points& positions, const Scalars& kept) {
  const ElementBoxes boxes = grown_boxes(surface, positions, kept);
  return search(surface, boxes, positions, [&](PairOf kind, const Stencil<4>& v) {
    const ElementGap gap = gap_of(kind, places(positions, v));
    const bool one_piece = surface.piece[v[0]] == surface.piece[v[3]];
    return gap.distance < kept_by(kind, v, kept) && (gap.facing || !one_piece);
  });
}

std::vector<ElementPair> find_gaps(const Surface& surface, const Points& positions, double within) {
  return find_gaps(surface, positions, Scalars::Constant(positions.cols(), within / 2));
}

std::vector<Crossing> find_crossings(const Surface& surface, const Points& before, const Points& after) {
  const ElementBoxes boxes = swept_boxes(surface, before, after);
  const std::vector<ElementPair> pairs = search(surface, boxes, after, [&](PairOf kind, const Stencil<4>& v) {
    return passed(kind, places(before, v), places(after, v));
  });
  const std::vector<char> turned = turned_vertices(surface, before, after);
  std::vector<Crossing> crossings;
  for (const ElementPair& pair : pairs) {
    const Stencil<4> v = vertices_of(surface, pair);
    crossings.push_back({pair, side_of(surface, pair, before),
                         std::any_of(v.begin(), v.end(), [&](int vertex) { return turned[vertex] != 0; })});
  }
  return crossings;
}

}  // namespace muslin

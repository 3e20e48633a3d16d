#include "muslin/contact/candidates.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {

constexpr double kRestShare = 0.5;  // of the rest distance: the most that the radius of a pair may be

constexpr double kParallel = 0.01;  // sin² of the angle of edges below which they count as nearly parallel
constexpr double kLeastShare = 1e-3;

/// ContactPair::share.
double share_of(PairKind kind, const Quad& x) {
  if (kind == PairKind::point_triangle) return 1;
  const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2);
  const double sine_square = u.cross(v).squaredNorm(), scale = u.squaredNorm() * v.squaredNorm();
  return scale > 0 ? std::clamp(sine_square / (kParallel * scale), kLeastShare, 1.0) : kLeastShare;
}

/// Where an element's vertices are, `reach(v)` farther on all sides for the largest reach of them.
template <size_t N, class Reach>
Box box_of(const Points& x, const std::array<int, N>& vertices, const Reach& reach) {
  const Local<int{N}> corners = gather(x, vertices);
  double most = 0;
  for (const int v : vertices) most = std::max(most, reach(v));
  const Vec3 margin = Vec3::Constant(most);
  return {corners.rowwise().minCoeff() - margin, corners.rowwise().maxCoeff() + margin};
}

template <size_t N, class Reach>
std::vector<Box> boxes_of(const Points& x, const std::vector<std::array<int, N>>& elements,
                          const Reach& reach) {
  std::vector<Box> boxes(elements.size());
  parallel_for(static_cast<int>(elements.size()), [&](int e) { boxes[e] = box_of(x, elements[e], reach); });
  return boxes;
}

std::vector<Stencil<1>> each_vertex(int count) {
  std::vector<Stencil<1>> vertices(count);
  for (int v = 0; v < count; ++v) vertices[v] = {v};
  return vertices;
}

double no_reach(int) { return 0; }

/// The largest entry of each side of a pair, added.
double sum_of_sides(PairKind kind, const Stencil<4>& vertices, const Scalars& entry) {
  const int first_of_b = kind == PairKind::point_triangle ? 1 : 2;
  double side[2] = {0, 0};
  for (int k = 0; k < 4; ++k) {
    double& most = side[k >= first_of_b];
    most = std::max(most, entry[vertices[k]]);
  }
  return side[0] + side[1];
}

double friction_between(const Piece& a, const Piece& b) {
  if (a.body) return a.friction;
  if (b.body) return b.friction;
  return (a.friction + b.friction) / 2;
}

template <size_t N>
bool within(const std::vector<std::array<int, N>>& elements, int count) {
  return std::all_of(elements.begin(), elements.end(), [&](const auto& vertices) {
    return std::all_of(vertices.begin(), vertices.end(), [&](int v) { return v >= 0 && v < count; });
  });
}

/// The same surfaces, if they make sense.
Surfaces checked(Surfaces surfaces) {
  const int count = surfaces.vertex_count();
  const auto expect = [](bool holds, const char* what) {
    if (!holds) throw Error(ErrorKind::invalid, std::string("contact: ") + what);
  };
  expect(within(surfaces.triangles, count) && within(surfaces.edges, count),
         "triangles and edges must name vertices that exist");
  expect(static_cast<int>(surfaces.piece.size()) == count &&
             static_cast<int>(surfaces.moves.size()) == count && surfaces.half_thickness.size() == count,
         "piece, moves and half_thickness must have one entry a vertex");
  expect(std::all_of(surfaces.piece.begin(), surfaces.piece.end(),
                     [&](int p) { return p >= 0 && p < static_cast<int>(surfaces.pieces.size()); }),
         "every vertex must belong to a piece that exists");
  return surfaces;
}

}  // namespace

Vec3 common_motion(const Surfaces& surfaces, const Points& displacement) {
  struct Mean {
    Vec3 sum = Vec3::Zero();
    int count = 0;
  };
  const Mean mean = parallel_reduce(
      static_cast<int>(displacement.cols()), Mean(),
      [&](int v) {
        return surfaces.moves[v] ? Mean{displacement.col(v), 1} : Mean();
      },
      [](Mean& total, const Mean& m) { total.sum += m.sum, total.count += m.count; }, kGrain);
  return mean.count > 0 ? Vec3(mean.sum / mean.count) : Vec3::Zero();
}

Scalars motion_bounds(const Surfaces& surfaces, const Points& displacement, double most) {
  const Vec3 common = common_motion(surfaces, displacement);
  const Scalars wanted = 1.2 * (displacement.colwise() - common).colwise().norm().transpose();
  return wanted.cwiseMax(0.2 * most).cwiseMin(most);
}

double longest_bound(const Surfaces& surfaces) {
  double sum = 0;
  int count = 0;
  for (const auto& [a, b] : surfaces.edges) {
    if (surfaces.pieces[surfaces.piece[a]].body) continue;
    sum += (surfaces.rest.col(a) - surfaces.rest.col(b)).norm();
    ++count;
  }
  const double thickness = surfaces.vertex_count() > 0 ? 2 * surfaces.half_thickness.maxCoeff() : 0;
  return std::max(4 * thickness, count > 0 ? sum / count : 0);
}

Candidates::Candidates(Surfaces surfaces)
    : surfaces_(checked(std::move(surfaces))),
      points_(boxes_of(surfaces_.rest, each_vertex(surfaces_.vertex_count()), no_reach)),
      edges_(boxes_of(surfaces_.rest, surfaces_.edges, no_reach)),
      triangles_(boxes_of(surfaces_.rest, surfaces_.triangles, no_reach)) {}

void Candidates::detect(const Points& x, const Scalars& bound) {
  MUSLIN_ASSERT(x.cols() == surfaces_.vertex_count() && bound.size() == x.cols() && x.allFinite());
  detected_at_ = x;
  bound_ = bound;

  // 1. Boxes that overlap wherever two elements may come to touch.
  const auto reach = [&](int v) { return surfaces_.half_thickness[v] + bound_[v]; };
  points_.refit(boxes_of(x, each_vertex(surfaces_.vertex_count()), reach));
  edges_.refit(boxes_of(x, surfaces_.edges, reach));
  triangles_.refit(boxes_of(x, surfaces_.triangles, reach));

  // 2. Of these, the pairs that are near enough.
  const auto keep = [&](PairKind kind) {
    return [this, kind](int a, int b) { return may_touch(kind, vertices_of(kind, {a, b})); };
  };
  pairs_.clear();
  points_.find_pairs(triangles_, keep(PairKind::point_triangle), found_);
  add_pairs(PairKind::point_triangle, found_);
  edges_.find_pairs(keep(PairKind::edge_edge), found_);
  add_pairs(PairKind::edge_edge, found_);
}

bool Candidates::covers(const Points& x) const {
  const Points moved = x - detected_at_;
  const Vec3 common = common_motion(surfaces_, moved);
  return ((moved.colwise() - common).colwise().norm().transpose().array() <= bound_.array()).all();
}

Stencil<4> Candidates::vertices_of(PairKind kind, const Stencil<2>& elements) const {
  if (kind == PairKind::point_triangle) {
    const Stencil<3>& triangle = surfaces_.triangles[elements[1]];
    return {elements[0], triangle[0], triangle[1], triangle[2]};
  }
  const Stencil<2>&a = surfaces_.edges[elements[0]], &b = surfaces_.edges[elements[1]];
  return {a[0], a[1], b[0], b[1]};
}

bool Candidates::is_body(int vertex) const { return surfaces_.pieces[surfaces_.piece[vertex]].body; }

bool Candidates::may_touch(PairKind kind, const Stencil<4>& vertices) const {
  const auto& [a, b, c, d] = vertices;
  const bool shared =
      kind == PairKind::point_triangle ? a == b || a == c || a == d : a == c || a == d || b == c || b == d;
  if (shared) return false;
  const std::vector<char>& moves = surfaces_.moves;
  if (!(moves[a] || moves[b] || moves[c] || moves[d])) return false;
  if (!surfaces_.cloth_meets_cloth && !is_body(a) && !is_body(d)) return false;
  return closest_points(kind, gather(detected_at_, vertices)).distance <
         sum_of_sides(kind, vertices, surfaces_.half_thickness) + sum_of_sides(kind, vertices, bound_);
}

ContactPair Candidates::describe(PairKind kind, const Stencil<4>& vertices) const {
  const int piece_a = surfaces_.piece[vertices[0]], piece_b = surfaces_.piece[vertices[3]];
  double radius = sum_of_sides(kind, vertices, surfaces_.half_thickness);
  if (piece_a == piece_b)
    radius = std::min(radius, kRestShare * closest_points(kind, gather(surfaces_.rest, vertices)).distance);
  return {kind, vertices, radius, share_of(kind, gather(detected_at_, vertices)),
          friction_between(surfaces_.pieces[piece_a], surfaces_.pieces[piece_b])};
}

void Candidates::add_pairs(PairKind kind, const std::vector<Stencil<2>>& found) {
  const size_t first = pairs_.size();
  pairs_.resize(first + found.size());
  parallel_for(static_cast<int>(found.size()),
               [&](int k) { pairs_[first + k] = describe(kind, vertices_of(kind, found[k])); });
}

}  // namespace muslin

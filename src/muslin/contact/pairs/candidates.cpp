#include "muslin/contact/pairs/candidates.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/core/vector.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {

constexpr double kSlackFraction = 0.999;  // of the slack that may be used: the rest is for rounding
// Of its slack, what a vertex must keep for its pairs to stay; and of the vertices, how many may be lost
// before everything is looked for.
constexpr double kKept = 0.5, kMostLost = 0.5;

constexpr double kOnePlace = 1e-6;  // of the distance that is kept: nearer at rest is one place
constexpr double kParallel = 0.01;  // sin² of the angle of edges below which they count as nearly parallel
constexpr double kLeastWeight = 1e-3;

constexpr double kChord = 0.125;  // of a chord's square over the radius: how far it is from the arc

/// How deep a triangle or an edge that lies on a round body with its corners is in it [m]: the square of its
/// longest side, or of what an edge goes across the axis, over eight radii.
double depth_of_chord(const ContactPair& pair, const Quad& x) {
  if (pair.kind == PairKind::edge_edge) {
    const int axis = pair.round_a ? 0 : 2, edge = 2 - axis;
    const Vec3 along = (x.col(axis + 1) - x.col(axis)).normalized();
    return kChord * along.cross(x.col(edge + 1) - x.col(edge)).squaredNorm() / pair.inset;
  }
  const Vec3 u = x.col(2) - x.col(1), v = x.col(3) - x.col(1);
  return kChord * std::max({u.squaredNorm(), v.squaredNorm(), (v - u).squaredNorm()}) / pair.inset;
}

/// ContactPair::weight of a pair that has all but that.
double weight_of(const ContactPair& pair, const Quad& x) {
  double weight = 1;
  if (pair.kind == PairKind::edge_edge) {
    const Vec3 u = x.col(1) - x.col(0), v = x.col(3) - x.col(2);
    const double sine_square = u.cross(v).squaredNorm(), scale = u.squaredNorm() * v.squaredNorm();
    weight = scale > 0 ? sine_square / (kParallel * scale) : 0;
  }
  const bool vertex_of_cloth = pair.kind != PairKind::edge_edge && !pair.round_a;
  if (pair.inset > 0 && !vertex_of_cloth && pair.radius > 0)
    weight = std::min(weight, depth_of_chord(pair, x) / pair.radius);
  return std::clamp(weight, kLeastWeight, 1.0);
}

/// What an element passes through on its way, `reach(v)` farther on all sides for the largest reach of its
/// vertices.
template <size_t N, class Reach>
std::vector<Box> swept_boxes(const Points& x, const Points& way,
                             const std::vector<std::array<int, N>>& elements, const Reach& reach) {
  std::vector<Box> boxes(elements.size());
  parallel_for(static_cast<int>(elements.size()), [&](int e) {
    Box box = Box::nothing();
    double most = 0;
    for (const int v : elements[e]) {
      box.include(x.col(v));
      box.include(x.col(v) + way.col(v));
      most = std::max(most, reach(v));
    }
    boxes[e] = {box.low - Vec3::Constant(most), box.high + Vec3::Constant(most)};
  });
  return boxes;
}

template <size_t N>
std::vector<Box> boxes_of(const Points& x, const std::vector<std::array<int, N>>& elements) {
  return swept_boxes(x, Points::Zero(3, x.cols()), elements, [](int) { return 0.0; });
}

/// The a ≥ 0 at which |offset + a · motion| = radius, infinite if there is none; 0 if it begins outside.
double way_to_sphere(const Vec3& offset, const Vec3& motion, double radius) {
  const double room = radius * radius - offset.squaredNorm();
  if (room <= 0) return 0;
  const double a = motion.squaredNorm(), b = offset.dot(motion);
  const double root = std::sqrt(b * b + a * room);
  return b > 0 ? room / (b + root) : a > 0 ? (root - b) / a : kInfinity;
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
  expect(within(surfaces.points, count) && within(surfaces.triangles, count) &&
             within(surfaces.edges, count) && within(surfaces.planes, count),
         "points, triangles, edges and planes must name vertices that exist");
  expect(static_cast<int>(surfaces.piece.size()) == count &&
             static_cast<int>(surfaces.moves.size()) == count && surfaces.half_thickness.size() == count,
         "piece, moves and half_thickness must have one entry a vertex");
  expect(std::all_of(surfaces.piece.begin(), surfaces.piece.end(),
                     [&](int p) { return p >= 0 && p < static_cast<int>(surfaces.pieces.size()); }),
         "every vertex must belong to a piece that exists");
  const auto of_one_piece = [&](const auto& elements) {
    return std::all_of(elements.begin(), elements.end(), [&](const auto& vertices) {
      return std::all_of(vertices.begin(), vertices.end(),
                         [&](int v) { return surfaces.piece[v] == surfaces.piece[vertices[0]]; });
    });
  };
  expect(of_one_piece(surfaces.triangles) && of_one_piece(surfaces.edges) && of_one_piece(surfaces.planes),
         "the vertices of an element must be of one piece");
  return surfaces;
}

/// What is left of a radius of two pieces [m] where vertices of one are fastened to the other, a round one
/// with an inset [m]; nothing where these are on what they are fastened to.
std::optional<double> radius_of_fastened(const Surfaces& surfaces, PairKind kind, const Stencil<4>& vertices,
                                         double radius, double inset) {
  if (surfaces.fastened.empty()) return radius;
  double least = kInfinity;
  const int first = first_of_b(kind);
  for (int k = 0; k < 4; ++k) {
    const bool is_a = k < first;
    if (!surfaces.is_fastened(vertices[k], surfaces.piece[vertices[is_a ? 3 : 0]])) continue;
    // The other side as a triangle, which may be an edge or a point
    const int begin = is_a ? first : 0, count = is_a ? 4 - first : first;
    Quad x;
    x.col(0) = surfaces.together.col(vertices[k]);
    for (int c = 0; c < 3; ++c)
      x.col(1 + c) = surfaces.together.col(vertices[begin + std::min(c, count - 1)]);
    least = std::min(least, closest_points(PairKind::point_triangle, x).distance - inset);
  }
  if (least == kInfinity) return radius;
  if (!(least > kOnePlace * radius)) return {};
  return std::min(radius, kRestFraction * least);
}

}  // namespace

// Cloth in one place at rest, as along a seam whose vertices nobody merged, was never apart; edges that meet
// there are a rounding apart, which would hold the cloth for ever.
std::optional<double> radius_of(const Surfaces& cloth, PairKind kind, const Stencil<4>& vertices) {
  const double thick = sum_of_sides(kind, vertices, cloth.half_thickness);
  if (cloth.is_sewn(vertices)) return thick;
  const double at_rest = closest_points(kind, gather(cloth.rest, vertices)).distance;
  if (at_rest <= kOnePlace * thick) return {};
  const bool is_one_piece = cloth.piece[vertices[0]] == cloth.piece[vertices[3]];
  if (!is_one_piece) return radius_of_fastened(cloth, kind, vertices, thick, 0);
  return std::min(thick, kRestFraction * at_rest);
}

double friction_of(const Surfaces& surfaces, PairKind kind, const Stencil<4>& vertices) {
  const Piece &a = surfaces.pieces[surfaces.piece[vertices[0]]],
              &b = surfaces.pieces[surfaces.piece[vertices[3]]];
  const Piece* const body = a.body ? &a : b.body ? &b : nullptr;
  const auto of_side = [&](int first, int last, const Piece& piece) {
    const double common = body ? body->friction : piece.friction;
    if (surfaces.friction.size() == 0) return common;
    double sum = 0;
    for (int k = first; k < last; ++k) {
      const double own = surfaces.friction[vertices[k]];
      sum += std::isnan(own) ? common : own;
    }
    return sum / (last - first);
  };
  const int middle = first_of_b(kind);
  if (a.body) return of_side(middle, 4, b);
  if (b.body) return of_side(0, middle, a);
  return (of_side(0, middle, a) + of_side(middle, 4, b)) / 2;
}

double change_of_distance(PairKind kind, const Stencil<4>& vertices, const Points& displacement) {
  const Quad way = gather(displacement, vertices);
  const Vec3 mean = way.rowwise().mean();
  const Eigen::Vector4d beside = (way.colwise() - mean).colwise().norm();
  return sum_of_sides(kind, {0, 1, 2, 3}, beside);
}

Candidates::Candidates(Surfaces surfaces) : surfaces_(checked(std::move(surfaces))), moves_(surfaces_.moves) {
  for (const bool body : {false, true}) {
    Parts& parts = body ? bodies_ : cloth_;
    choose(body, surfaces_.points, parts.points);
    choose(body, surfaces_.edges, parts.edges);
    choose(body, surfaces_.triangles, parts.triangles);
  }
}

template <size_t N>
void Candidates::choose(bool bodies, const std::vector<Stencil<N>>& all, Elements<N>& chosen) const {
  for (int e = 0; e < static_cast<int>(all.size()); ++e)
    if (is_body(all[e][0]) == bodies) {
      chosen.index.push_back(e);
      chosen.vertices.push_back(all[e]);
    }
  chosen.tree = BoxTree(boxes_of(surfaces_.rest, chosen.vertices));
}

void Candidates::set_moved(const Points& displacement) {
  moves_ = surfaces_.moves;
  for (int v = 0; v < surfaces_.vertex_count(); ++v)
    if (!displacement.col(v).isZero(0)) moves_[v] = 1;
}

void Candidates::detect(const Points& x, const Points& displacement, const Scalars& slack) {
  MUSLIN_ASSERT(x.cols() == surfaces_.vertex_count() && displacement.cols() == x.cols() &&
                slack.size() == x.cols() && slack.minCoeff() >= 0 && x.allFinite() &&
                displacement.allFinite());
  set_way(x, displacement, slack);
  look(std::vector<char>(x.cols(), 1));
}

// Vertices that stay have a ball about their new way within that about the old one. So whatever places they
// come to in it, with one fraction of the new way and one common displacement for all, they could have come
// to in the old, and of their pairs none is missing.
void Candidates::detect_again(const Points& x, const Points& displacement, double slack) {
  if (from_.cols() != x.cols()) return detect(x, displacement, slack);  // the first look
  const Scalars left = slack_left_along(x, displacement);
  std::vector<char> lost(left.size());
  Scalars slacks = (kSlackFraction * left).cwiseMin(slack);
  int count = 0;
  for (int v = 0; v < left.size(); ++v) {
    if (left[v] >= kKept * slack) continue;
    lost[v] = 1;
    slacks[v] = slack;
    ++count;
  }
  if (count > kMostLost * surfaces_.vertex_count()) return detect(x, displacement, slack);
  set_way(x, displacement, slacks);
  look(lost);
}

void Candidates::set_way(const Points& x, const Points& displacement, const Scalars& slack) {
  from_ = x;
  along_ = displacement.colwise() - mean_of_cloth(displacement);
  slack_ = slack;
}

// Searches are for pairs of elements of which one has such a vertex.
void Candidates::mark(const std::vector<char>& vertices) {
  const auto mark_elements = [&](auto& elements) {
    std::vector<char> marked(elements.vertices.size());
    for (size_t e = 0; e < marked.size(); ++e)
      for (const int v : elements.vertices[e]) marked[e] |= vertices[v];
    elements.tree.mark(marked);
  };
  for (Parts* parts : {&cloth_, &bodies_}) {
    mark_elements(parts->points);
    mark_elements(parts->edges);
    mark_elements(parts->triangles);
  }
}

// What is listed stays but for pairs with a vertex that is lost, which are looked for.
void Candidates::look(const std::vector<char>& lost) {
  const Listed old = std::exchange(listed_, {});
  if (!can_meet()) return;
  const auto stays = [&](const ContactPair& pair) {
    const auto& [a, b, c, d] = pair.vertices;
    return !(lost[a] || lost[b] || lost[c] || lost[d]);
  };
  mark(lost);

  // 1. Boxes that overlap wherever two elements may come to touch.
  const SweptPlaces swept{from_, along_, slack_, mean_of_cloth(from_), mean_of_cloth(surfaces_.rest)};
  for (Parts* parts : {&cloth_, &bodies_}) {
    refit(swept, parts->points);
    refit(swept, parts->edges);
    refit(swept, parts->triangles);
  }

  // 2. Of these, the pairs that are near enough.
  const bool among_cloth = surfaces_.cloth_meets_cloth;
  found_.clear();
  if (among_cloth) find_between(PairKind::point_triangle, cloth_.points, cloth_.triangles);
  find_between(PairKind::point_triangle, cloth_.points, bodies_.triangles);
  find_between(PairKind::point_triangle, bodies_.points, cloth_.triangles);
  add_found(PairKind::point_triangle, old, stays);

  found_.clear();
  if (among_cloth) find_among(cloth_.edges);
  find_between(PairKind::edge_edge, cloth_.edges, bodies_.edges);
  add_found(PairKind::edge_edge, old, stays);

  found_.clear();
  meet_planes(lost);
  add_found(PairKind::point_plane, old, stays);
}

// What the elements pass through, and how far beside it they may be.
template <size_t N>
void Candidates::refit(const SweptPlaces& swept, Elements<N>& elements) const {
  const auto reach = [&](int v) {
    return surfaces_.half_thickness[v] + slack_[v] + surfaces_.pieces[surfaces_.piece[v]].inset;
  };
  elements.tree.refit(swept_boxes(from_, along_, elements.vertices, reach));
  const std::vector<int>& order = elements.tree.order();
  elements.leaves.resize((order.size() + 3) / 4);
  parallel_for(static_cast<int>(order.size()), [&](int k) {
    set_lane(elements.leaves[k / 4], k % 4, elements.vertices[order[k]], surfaces_, swept);
  });
}

// What a search leaves out before the exact distance, of elements and others.
template <class A, class B>
auto Candidates::sieve_of(const A& elements, const B& others) const {
  return [&, kernels = &near_kernels(), filters = filters_](int leaf, int other, int hits) {
    if (!filters) return hits;
    if constexpr (std::is_same_v<A, Elements<1>>)
      return kernels->points_and_triangles(elements.leaves[leaf], others.leaves[other], hits);
    else
      return kernels->edges(elements.leaves[leaf], others.leaves[other], hits);
  };
}

// Points of cloth with planes, unless neither moves.
void Candidates::meet_planes(const std::vector<char>& lost) {
  for (const int p : cloth_.points.index)
    for (int plane = 0; plane < static_cast<int>(surfaces_.planes.size()); ++plane) {
      const auto& [a, b, c] = surfaces_.planes[plane];
      if (!(lost[surfaces_.points[p][0]] || lost[a] || lost[b] || lost[c])) continue;
      if (surfaces_.is_held_inside(surfaces_.points[p][0], surfaces_.piece[a]) ||
          surfaces_.is_fastened(surfaces_.points[p][0], surfaces_.piece[a]))
        continue;
      if (moves_[surfaces_.points[p][0]] || moves_[a] || moves_[b] || moves_[c]) found_.push_back({p, plane});
    }
}

void Candidates::find_among(const Elements<2>& edges) {
  find(PairKind::edge_edge, edges.index, edges.index,
       [&](const auto& keep, auto& found) { edges.tree.find_pairs(sieve_of(edges, edges), keep, found); });
}

template <size_t N, size_t M>
void Candidates::find_between(PairKind kind, const Elements<N>& a, const Elements<M>& b) {
  find(kind, a.index, b.index,
       [&](const auto& keep, auto& found) { a.tree.find_pairs(b.tree, sieve_of(a, b), keep, found); });
}

// Adds the pairs that find_pairs(keep, found) finds, of elements with these places in the surfaces.
template <class Find>
void Candidates::find(PairKind kind, const std::vector<int>& a, const std::vector<int>& b,
                      const Find& find_pairs) {
  // 1. As the surfaces number them, the first of two edges before the second
  const auto pair_of = [&](int i, int j) {
    const Stencil<2> pair{a[i], b[j]};
    return kind == PairKind::edge_edge && pair[1] < pair[0] ? Stencil<2>{pair[1], pair[0]} : pair;
  };
  const auto keep = [&](int i, int j) { return may_be_pair(kind, vertices_of(kind, pair_of(i, j))); };
  std::vector<Stencil<2>> found;
  find_pairs(keep, found);
  for (Stencil<2>& pair : found) pair = pair_of(pair[0], pair[1]);
  if (!std::is_sorted(found.begin(), found.end())) std::sort(found.begin(), found.end());

  // 2. In order among what has been found
  const auto middle = static_cast<std::ptrdiff_t>(found_.size());
  found_.insert(found_.end(), found.begin(), found.end());
  std::inplace_merge(found_.begin(), found_.begin() + middle, found_.end());
}

// The mean over the cloth that moves: of displacements, all may go by as much without two of them coming
// nearer.
Vec3 Candidates::mean_of_cloth(const Points& vectors) const {
  struct Mean {
    Vec3 sum = Vec3::Zero();
    int count = 0;
  };
  const Mean mean = parallel_reduce(
      static_cast<int>(vectors.cols()), Mean(),
      [&](int v) {
        return moves_[v] && !is_body(v) ? Mean{vectors.col(v), 1} : Mean();
      },
      [](Mean& total, const Mean& m) { total.sum += m.sum, total.count += m.count; }, kGrain);
  return mean.count > 0 ? Vec3(mean.sum / mean.count) : Vec3::Zero();
}

double Candidates::fraction_within(const Points& displacement, double longest) const {
  const Vec3 common = mean_of_cloth(displacement);
  const double farthest = std::sqrt((displacement.colwise() - common).colwise().squaredNorm().maxCoeff());
  return farthest > longest ? longest / farthest : 1;
}

// How much of the way is in x − from_, in the sense of least squares.
double Candidates::fraction_of_way(const Points& x) const {
  const double all = dot(along_, along_);
  if (all == 0) return 0;
  const Vec3 common = mean_of_cloth(x - from_);
  const double part = parallel_sum(surfaces_.vertex_count(), 0.0, [&](int v) {
    return along_.col(v).dot(x.col(v) - from_.col(v) - common);
  });
  return std::clamp(part / all, 0.0, 1.0);
}

// x + a · displacement is from_ + (s₀ + a (s₁ − s₀)) along_, moved in common, and something beside it, which
// is linear in a: no more than the slack until it leaves a ball.
double Candidates::holds_along(const Points& x, const Points& displacement) const {
  if (!can_meet()) return 1;
  const Points end = x + displacement;
  const double first = fraction_of_way(x), last = fraction_of_way(end);
  const Points aside = x - from_ - first * along_, aside_later = end - from_ - last * along_;
  const Vec3 common = mean_of_cloth(aside), common_later = mean_of_cloth(aside_later);
  return parallel_min(surfaces_.vertex_count(), 1, [&](int v) {
    const Vec3 start = aside.col(v) - common;
    return way_to_sphere(start, aside_later.col(v) - common_later - start, kSlackFraction * slack_[v]);
  });
}

// The least on the straight way from x: what is beside the listed way is convex along it.
Scalars Candidates::slack_left_along(const Points& x, const Points& displacement) const {
  return slack_left(x).cwiseMin(slack_left(x + displacement));
}

Scalars Candidates::slack_left(const Points& x) const {
  const Points aside = x - from_ - fraction_of_way(x) * along_;
  const Vec3 common = mean_of_cloth(aside);
  return slack_ - (aside.colwise() - common).colwise().norm().transpose();
}

Stencil<4> Candidates::vertices_of(PairKind kind, const Stencil<2>& elements) const {
  if (kind != PairKind::edge_edge) {
    const auto& [a, b, c] =
        (kind == PairKind::point_plane ? surfaces_.planes : surfaces_.triangles)[elements[1]];
    return {surfaces_.points[elements[0]][0], a, b, c};
  }
  const Stencil<2>&a = surfaces_.edges[elements[0]], &b = surfaces_.edges[elements[1]];
  return {a[0], a[1], b[0], b[1]};
}

bool Candidates::can_meet() const {
  return surfaces_.cloth_meets_cloth ||
         std::any_of(surfaces_.pieces.begin(), surfaces_.pieces.end(), [](const Piece& p) { return p.body; });
}

bool Candidates::is_body(int vertex) const { return surfaces_.pieces[surfaces_.piece[vertex]].body; }

bool Candidates::may_be_pair(PairKind kind, const Stencil<4>& vertices) const {
  const auto& [a, b, c, d] = vertices;
  const bool shared =
      kind == PairKind::point_triangle ? a == b || a == c || a == d : a == c || a == d || b == c || b == d;
  if (shared || !(moves_[a] || moves_[b] || moves_[c] || moves_[d])) return false;
  if (is_body(a) == is_body(d)) return true;
  const int body = surfaces_.piece[is_body(a) ? a : d];
  const auto is_carried = [&](int v) { return surfaces_.piece[v] == body || surfaces_.is_fastened(v, body); };
  if (!surfaces_.fastened.empty() && std::all_of(vertices.begin(), vertices.end(), is_carried)) return false;
  if (surfaces_.held_inside.empty()) return true;
  return std::none_of(vertices.begin(), vertices.end(),
                      [&](int v) { return surfaces_.is_held_inside(v, body); });
}

// Nothing if it does not come near enough to be listed.
std::optional<ContactPair> Candidates::describe(PairKind kind, const Stencil<4>& vertices) const {
  const int piece_a = surfaces_.piece[vertices[0]], piece_b = surfaces_.piece[vertices[3]];
  const Piece &a = surfaces_.pieces[piece_a], &b = surfaces_.pieces[piece_b];
  double radius = sum_of_sides(kind, vertices, surfaces_.half_thickness);
  const Quad x = gather(from_, vertices);
  if (kind != PairKind::point_plane) {
    const double beside =
        sum_of_sides(kind, vertices, slack_) + change_of_distance(kind, vertices, along_) + a.inset + b.inset;
    if (!(box_gap(kind, x) < radius + beside)) return {};
    const double distance = closest_points(kind, x).distance;
    if (!(distance < radius + beside)) return {};
    if (!a.body && !b.body) {
      const std::optional<double> of_cloth = radius_of(surfaces_, kind, vertices);
      if (!of_cloth || !(distance < *of_cloth + beside)) return {};
      radius = *of_cloth;
    } else {
      const std::optional<double> beside_fastened =
          radius_of_fastened(surfaces_, kind, vertices, radius, a.inset + b.inset);
      if (!beside_fastened) return {};
      radius = *beside_fastened;
    }
  }
  ContactPair pair{kind,
                   vertices,
                   radius,
                   /*weight=*/1,
                   friction_of(surfaces_, kind, vertices),
                   a.inset + b.inset,
                   std::max(a.frame, b.frame),
                   a.inset > 0};
  pair.weight = weight_of(pair, x);
  return pair;
}

// Those of found_ that are near enough, in order among those of their kind that stay.
template <class Stays>
void Candidates::add_found(PairKind kind, const Listed& old, const Stays& stays) {
  constexpr double kNone = -1;  // radius of what is no pair
  std::vector<ContactPair> described(found_.size());
  parallel_for(static_cast<int>(found_.size()), [&](int k) {
    ContactPair& pair = described[k];
    pair.radius = kNone;
    if (std::optional<ContactPair> is_near = describe(kind, vertices_of(kind, found_[k]))) pair = *is_near;
  });

  const auto is_before = [](const ContactPair& pair, PairKind other) { return pair.kind < other; };
  size_t next = std::lower_bound(old.pairs.begin(), old.pairs.end(), kind, is_before) - old.pairs.begin();
  const auto add = [&](const ContactPair& pair, const Stencil<2>& place) {
    listed_.pairs.push_back(pair);
    listed_.places.push_back(place);
  };
  const auto add_old = [&](const auto& is_next) {
    for (; next < old.pairs.size() && old.pairs[next].kind == kind && is_next(old.places[next]); ++next)
      if (stays(old.pairs[next])) add(old.pairs[next], old.places[next]);
  };
  for (size_t k = 0; k < found_.size(); ++k) {
    if (described[k].radius == kNone) continue;
    add_old([&](const Stencil<2>& place) { return place < found_[k]; });
    add(described[k], found_[k]);
  }
  add_old([](const Stencil<2>&) { return true; });
}

}  // namespace muslin

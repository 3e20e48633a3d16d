#include "muslin/repair/untangle.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "muslin/audit/bodies.h"
#include "muslin/audit/solids.h"
#include "muslin/audit/surface.h"
#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/maths.h"
#include "muslin/core/parallel.h"
#include "muslin/geometry/closed_surface.h"
#include "muslin/geometry/distance.h"
#include "muslin/model/expect.h"
#include "muslin/model/measure.h"
#include "muslin/repair/contour.h"

namespace muslin {

namespace {

constexpr double kStep = 0.2;          // of the edges about a vertex: how far it moves in one iteration
constexpr double kBlunt = 0.1;         // pulls shorter than this say little
constexpr int kRings = 3;              // of neighbours that follow a pull …
constexpr double kFollow = 0.5;        // … with this weight a ring
constexpr int kSweeps = 8;             // of relaxation an iteration
constexpr double kRelaxed = 0.3;       // of a strain in a sweep
constexpr int kHalvings = 5;           // of a move that would make more pairs
constexpr double kShorter = 0.7;       // of the step, if halving does not help
constexpr int kMostRejected = 60;      // moves in a row
constexpr int kMostStalled = 150;      // iterations in a row without fewer pairs
constexpr int kMostStalledByPins = 5;  // the same where pins hold a line of intersection
constexpr double kMostSearched = 2e7;  // pairs in all trials: a minute in cloth that meets itself all over
constexpr int kSettling = 40;          // iterations that widen gaps and take back strain
constexpr double kLeastGap = 0.002;    // of the edges about a vertex: kept by cloth without thickness
constexpr double kMostGap = 0.1;       // of the same: thicker cloth would be near itself everywhere
constexpr int kSliding = 100;          // sweeps of relaxation on the surface of solids
constexpr double kTorn = 1;            // strain: what makes edges longer and leaves pairs is no repair
constexpr int kGrain = 64;             // vertices a task that looks for the way out of solids

/// What is to be done to cloth in one iteration.
struct Move {
  Points displacement;  ///< [m]
  Scalars outwards;     ///< by how much more every vertex is to keep from solids [m]
  int sweeps;           ///< of relaxation
};

/// Sums of pulls on vertices, with their weights.
struct Pulls {
  Points sum;
  Scalars weight;

  explicit Pulls(int count) : sum(Points::Zero(3, count)), weight(Scalars::Zero(count)) {}
  void add(int vertex, double factor, const Vec3& pull) {
    sum.col(vertex) += factor * pull;
    weight[vertex] += std::abs(factor) * pull.norm();
  }
  /// Lets neighbours follow.
  void spread(const std::vector<Stencil<2>>& edges) {
    const Pulls before = *this;
    for (const auto& [a, b] : edges)
      for (const auto& [to, from] : {std::pair(a, b), std::pair(b, a)}) {
        sum.col(to) += kFollow * before.sum.col(from);
        weight[to] += kFollow * before.weight[from];
      }
  }
};

/// Cloth among bodies as they are at time 0.
class Tangle {
 public:
  Tangle(const Model& model, const Points& positions);

  const IndexPairs& pairs() const { return pairs_; }
  bool can_search() const { return searched_ < kMostSearched; }
  bool is_solved() const {
    return pairs_.empty() && (clearance_.array() >= half_.head(count_).array()).all();
  }
  Points cloth() const { return x_.leftCols(count_); }
  bool touches_solids() const;
  IndexPairs in_bodies() const;
  /// Untangled::pinned.
  IndexPairs held_by_pins() const;

  /// Takes cloth out of solids, all at once, if that makes no more pairs.
  void leave_solids();
  Move along_lines(double step) const;
  Move apart() const;

  /// Makes a move, or half of it, and so on, so that there are no more pairs than before. Returns how many
  /// trials failed.
  int attempt(const Move& move);

 private:
  /// A solid, and the vertices of cloth that it is to keep out.
  struct Obstacle {
    ClosedSurface solid;
    double margin;            // [m]
    std::vector<char> keeps;  // one a vertex of cloth
  };

  bool is_cloth(int triangle) const { return triangle < static_cast<int>(model_.triangles.size()); }
  /// The obstacle that a pair is about, or -1.
  int obstacle_of(const std::pair<int, int>& pair) const {
    return obstacle_of_piece_[surface_.piece[surface_.triangles[pair.second][0]]];
  }
  IndexPairs find_pairs(const Points& x);
  void find_obstacles();
  void find_clearance();
  int to_lift(const std::pair<int, int>& pair) const;
  bool is_torn(const Points& x) const;
  std::vector<char> with_neighbours(const std::vector<char>& zone) const;
  void relax(double factor, const std::vector<char>& zone, Points& x) const;
  void keep_out(const Scalars& clearance, const std::vector<char>& zone, Points& x) const;

  const Model& model_;
  int count_;  // vertices of cloth
  SceneSurfaces scene_;
  Topology topology_;
  Surface surface_;     // all triangles, those of cloth first
  Scalars edge_about_;  // mean length at rest of the edges about a vertex of cloth [m]
  Scalars half_;        // of what any vertex keeps from others [m]
  Points x_;            // all places [m]
  IndexPairs pairs_;
  double searched_ = 0;  // pairs that all searches have found so far
  std::vector<Obstacle> obstacles_;
  std::vector<int> obstacle_of_piece_;  // by the piece's number in surface_; -1: none
  Scalars gap_;             // of a vertex of cloth to solids at the start, beyond their margin [m]
  Scalars clearance_;       // what a vertex of cloth keeps from solids, beyond their margin [m]
  std::vector<char> zone_;  // vertices of cloth that have moved, and a ring about them
};

Tangle::Tangle(const Model& model, const Points& positions)
    : model_(model),
      count_(model.vertex_count()),
      scene_(model, model.script, Members::all, Solids::meshes),
      topology_(build_topology(scene_.surfaces().vertex_count(), scene_.surfaces().triangles, "untangle")),
      surface_(make_surface(scene_.surfaces().vertex_count(), scene_.surfaces().triangles)),
      edge_about_(mean_edge_about_vertices(model)),
      half_(scene_.surfaces().half_thickness),
      x_(3, scene_.surfaces().vertex_count()),
      zone_(count_, 0) {
  half_.head(count_) =
      half_.head(count_).cwiseMax(kLeastGap / 2 * edge_about_).cwiseMin(kMostGap / 2 * edge_about_);
  x_ << positions, scene_.bodies_at(poses_at(model.colliders, 0), 0);
  surface_.cloth_vertices = count_;
  pairs_ = find_pairs(x_);
  find_obstacles();
  find_clearance();
}

IndexPairs Tangle::find_pairs(const Points& x) {
  IndexPairs pairs = intersecting_pairs(surface_, x);
  if (!scene_.surfaces().held_inside.empty())
    std::erase_if(pairs, [&](const std::pair<int, int>& pair) {
      const auto& [a, b, c] = surface_.triangles[pair.first];
      const int body = scene_.surfaces().piece[surface_.triangles[pair.second][0]];
      const auto is_inside = [&](int v) { return scene_.surfaces().is_held_inside(v, body); };
      return is_inside(a) || is_inside(b) || is_inside(c);
    });
  searched_ += static_cast<double>(pairs.size());
  return pairs;
}

/// Primitives keep out all cloth, closed meshes only the pieces of cloth that meet them: one wholly inside
/// may be in its room.
void Tangle::find_obstacles() {
  obstacle_of_piece_.assign(x_.cols(), -1);
  std::vector<std::vector<Stencil<3>>> pieces(x_.cols());
  for (const Stencil<3>& triangle : surface_.triangles)
    pieces[surface_.piece[triangle[0]]].push_back(triangle);
  for (int p = count_; p < x_.cols(); ++p) {
    if (pieces[p].empty()) continue;
    const Collider& collider = model_.colliders[scene_.collider_of(p)];
    const bool is_plane = collider.shape == Shape::plane;
    if (is_plane && collider.friction_law == FrictionLaw::cs184) continue;  // it has two sides
    Mesh body;
    body.positions = x_;
    body.triangles = pieces[p];
    if (!is_plane && !ClosedSurface::problem(body).empty()) continue;
    obstacle_of_piece_[p] = static_cast<int>(obstacles_.size());
    obstacles_.push_back(
        {ClosedSurface(body), collider.margin, std::vector<char>(count_, collider.shape != Shape::mesh)});
  }
  std::vector<char> is_held(count_);  // inside some body
  for (const auto& [vertex, piece] : scene_.surfaces().held_inside) is_held[vertex] = 1;
  for (const auto& [vertex, piece] : scene_.surfaces().held_inside)
    for (int p = count_; p < x_.cols(); ++p)
      if (scene_.surfaces().piece[p] == piece && obstacle_of_piece_[p] >= 0)
        obstacles_[obstacle_of_piece_[p]].keeps[vertex] = 0;
  std::set<std::pair<int, int>> met;  // piece of cloth, obstacle
  for (const auto& pair : pairs_)
    if (!is_cloth(pair.second) && obstacle_of(pair) >= 0)
      met.emplace(surface_.piece[surface_.triangles[pair.first][0]], obstacle_of(pair));
  for (const auto& [piece, obstacle] : met)
    for (int v = 0; v < count_; ++v)
      if (surface_.piece[v] == piece && !is_held[v]) obstacles_[obstacle].keeps[v] = 1;
}

void Tangle::find_clearance() {
  gap_ = Scalars::Constant(count_, kInfinity);
  for (const Obstacle& obstacle : obstacles_)
    parallel_for(
        count_,
        [&](int v) {
          if (!obstacle.keeps[v]) return;
          const double gap = obstacle.solid.at(x_.col(v)).distance - obstacle.margin;
          gap_[v] = std::min(gap_[v], gap);
        },
        kGrain);
  clearance_ = gap_.cwiseMin(half_.head(count_));
}

IndexPairs Tangle::held_by_pins() const {
  const auto is_fixed = [&](int v) { return v >= count_ || model_.script.free.col(v).isZero(0); };
  const auto all_fixed = [&](const Stencil<3>& t) {
    return is_fixed(t[0]) && is_fixed(t[1]) && is_fixed(t[2]);
  };
  const auto pierces_fixed = [&](const Stencil<3>& one, const Stencil<3>& other) {
    Piercing where;
    for (int k = 0; k < 3; ++k) {
      const Stencil<2> edge{one[k], one[(k + 1) % 3]};
      if (is_fixed(edge[0]) && is_fixed(edge[1]) && pierces(x_, edge, other, where)) return true;
    }
    return false;
  };
  IndexPairs held;
  for (const auto& [first, second] : pairs_) {
    const Stencil<3>&a = surface_.triangles[first], &b = surface_.triangles[second];
    const bool fixed_a = all_fixed(a), fixed_b = all_fixed(b);
    if ((fixed_a && fixed_b) || (fixed_b && pierces_fixed(a, b)) || (fixed_a && pierces_fixed(b, a)))
      held.emplace_back(first, is_cloth(second) ? second : -1);
  }
  return held;
}

bool Tangle::touches_solids() const {
  for (const Obstacle& obstacle : obstacles_)
    for (int v = 0; v < count_; ++v)
      if (obstacle.keeps[v] && obstacle.solid.at(x_.col(v)).distance <= kSurfaceRounding) return true;
  return false;
}

IndexPairs Tangle::in_bodies() const {
  IndexPairs found;
  for (const auto& [a, b] : pairs_)
    if (!is_cloth(b)) found.emplace_back(a, scene_.collider_of(surface_.triangles[b][0]));
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// --- moves -------------------------------------------------------------------------------------------

/// Shortens the lines of intersection; triangles that meet a solid go away from it.
Move Tangle::along_lines(double step) const {
  Move move{Points::Zero(3, count_), Scalars::Zero(count_), kSweeps};
  for (const auto& [a, b] : pairs_) {
    if (obstacle_of({a, b}) >= 0)
      for (const int v : surface_.triangles[a])
        if (clearance_[v] < edge_about_[v]) move.outwards[v] = step * edge_about_[v];
  }
  Pulls pulls(static_cast<int>(x_.cols()));
  for (const Piercing& p : find_piercings(x_, surface_.triangles, topology_, pairs_)) {
    const Vec3 pull = p.pull / maths::hypot(p.pull.norm(), kBlunt);
    for (int k = 0; k < 2; ++k) pulls.add(p.edge[k], p.edge_weight[k], pull);
    for (int k = 0; k < 3; ++k) pulls.add(p.triangle[k], -p.triangle_weight[k], pull);
  }
  for (int ring = 0; ring < kRings; ++ring) pulls.spread(model_.edges);
  for (int v = 0; v < count_; ++v) {
    if (clearance_[v] < half_[v]) move.outwards[v] = step * edge_about_[v];
    if (pulls.weight[v] > 0)
      move.displacement.col(v) = step * edge_about_[v] / pulls.weight[v] * pulls.sum.col(v);
  }
  return move;
}

/// Widens gaps that are too small.
Move Tangle::apart() const {
  Pulls pushes(count_);
  for (const ElementPair& pair : find_gaps(surface_, x_, half_)) {
    const Stencil<4> v = vertices_of(surface_, pair);
    const double missing = kept_by(surface_, pair, half_) - pair.distance;
    Quad places;
    for (int k = 0; k < 4; ++k) places.col(k) = x_.col(v[k]);
    const Closest closest = closest_points(
        pair.kind == PairOf::edge_edge ? PairKind::edge_edge : PairKind::point_triangle, places);
    double square = 0;
    for (int k = 0; k < 4; ++k)
      if (v[k] < count_) square += closest.weight[k] * closest.weight[k];
    for (int k = 0; k < 4; ++k)
      if (v[k] < count_) pushes.add(v[k], closest.weight[k], missing / square * closest.normal);
  }
  return {Points(pushes.sum), Scalars::Zero(count_), 1};
}

// --- trials ------------------------------------------------------------------------------------------

/// The triangle of a pair that is to go farther from solids: what cuts into one, or was the outer of two
/// layers.
int Tangle::to_lift(const std::pair<int, int>& pair) const {
  if (obstacle_of(pair) >= 0) return pair.first;
  if (!is_cloth(pair.second)) return -1;
  const auto gap = [&](int triangle) {
    const auto& [a, b, c] = surface_.triangles[triangle];
    return gap_[a] + gap_[b] + gap_[c];
  };
  return gap(pair.first) > gap(pair.second) ? pair.first : pair.second;
}

/// Vertices to the surface of solids, and twice as far each time where a triangle still cuts into one, or
/// into a layer of cloth below.
void Tangle::leave_solids() {
  if (obstacles_.empty()) return;
  Points x = x_;
  Scalars clearance = half_.head(count_);
  IndexPairs pairs;
  std::vector<char> zone = zone_;
  for (bool grows = true; grows;) {
    grows = false;
    x = x_;
    keep_out(clearance, std::vector<char>(count_, 1), x);
    for (int v = 0; v < count_; ++v) zone[v] |= x.col(v) != x_.col(v);
    zone = with_neighbours(zone);
    for (int sweep = 0; sweep < kSliding; ++sweep) {
      relax(kRelaxed, zone, x);
      keep_out(clearance, zone, x);
    }
    pairs = find_pairs(x);
    std::vector<char> lifted(count_, 0);
    for (const auto& pair : pairs)
      if (const int triangle = to_lift(pair); triangle >= 0)
        for (const int v : surface_.triangles[triangle]) lifted[v] |= zone[v] || obstacle_of(pair) >= 0;
    for (int v = 0; v < count_; ++v)
      if (lifted[v] && clearance[v] < edge_about_[v]) {
        clearance[v] *= 2;
        grows = true;
      }
  }
  if (!pairs.empty() && (pairs.size() > pairs_.size() || is_torn(x))) return;
  x_ = x;
  pairs_ = pairs;
  clearance_ = clearance;
  zone_ = zone;
}

int Tangle::attempt(const Move& move) {
  for (int v = 0; v < count_; ++v)
    if (!move.displacement.col(v).isZero(0) || move.outwards[v] > 0) zone_[v] = 1;
  const std::vector<char> zone = with_neighbours(zone_);

  double step = 1;
  for (int failed = 0; failed <= kHalvings && can_search(); ++failed, step /= 2) {
    Points x = x_;
    const Scalars clearance = clearance_ + step * move.outwards;
    x.leftCols(count_) += step * move.displacement.cwiseProduct(model_.script.free);
    keep_out(clearance, zone, x);
    for (int sweep = 0; sweep < move.sweeps; ++sweep) {
      relax(step * kRelaxed, zone, x);
      keep_out(clearance, zone, x);
    }
    IndexPairs pairs = find_pairs(x);
    if (pairs.size() > pairs_.size() || (!pairs.empty() && is_torn(x))) continue;
    x_ = x;
    pairs_ = pairs;
    clearance_ = clearance;
    zone_ = zone;
    return failed;
  }
  return kHalvings + 1;
}

/// Whether edges are longer than a repair is worth, and than they are now.
bool Tangle::is_torn(const Points& x) const {
  const double strain = edge_strain(model_, x.leftCols(count_)).max;
  return strain > kTorn && strain > edge_strain(model_, x_.leftCols(count_)).max;
}

std::vector<char> Tangle::with_neighbours(const std::vector<char>& zone) const {
  std::vector<char> wider = zone;
  for (const auto& [a, b] : model_.edges)
    if (zone[a] || zone[b]) wider[a] = wider[b] = 1;
  return wider;
}

/// Shortens edges in the zone that are longer than at rest. Short ones may stay: cloth buckles.
void Tangle::relax(double factor, const std::vector<char>& zone, Points& x) const {
  Points d = Points::Zero(3, count_);
  Scalars degree = Scalars::Zero(count_);
  for (size_t e = 0; e < model_.edges.size(); ++e) {
    const auto& [a, b] = model_.edges[e];
    if (!zone[a] && !zone[b]) continue;
    const Vec3 way = x.col(b) - x.col(a);
    const double length = way.norm();
    if (length <= model_.edge_length[e]) continue;
    const Vec3 half = 0.5 * (1 - model_.edge_length[e] / length) * way;
    d.col(a) += half;
    d.col(b) -= half;
    ++degree[a];
    ++degree[b];
  }
  for (int v = 0; v < count_; ++v)
    if (zone[v])
      x.col(v) += factor * 3 / std::max(degree[v], 1.0) * d.col(v).cwiseProduct(model_.script.free.col(v));
}

void Tangle::keep_out(const Scalars& clearance, const std::vector<char>& zone, Points& x) const {
  for (const Obstacle& obstacle : obstacles_)
    parallel_for(
        count_,
        [&](int v) {
          const double kept = obstacle.margin + clearance[v];
          if (!obstacle.keeps[v] || !zone[v] || !obstacle.solid.may_be_within(kept, x.col(v))) return;
          const auto [distance, normal] = obstacle.solid.at(x.col(v));
          const double missing = kept - distance;
          if (missing > 0) x.col(v) += missing * normal.cwiseProduct(model_.script.free.col(v));
        },
        kGrain);
}

}  // namespace

Untangled untangle(const Model& model, const Points& positions,
                   const std::function<void(const Untangled&)>& tell) {
  expect_positions("untangle", positions, model.vertex_count());
  if (!positions.allFinite()) throw Error(ErrorKind::invalid, "untangle: a position is no number");
  Tangle tangle(model, positions);
  Untangled result{positions, static_cast<int>(tangle.pairs().size()), 0, {}, 0, 0};
  if (tangle.pairs().empty() && !tangle.touches_solids()) return result;
  result.pinned = tangle.held_by_pins();
  const int most_stalled = result.pinned.empty() ? kMostStalled : kMostStalledByPins;

  // 1. Out of solids at once
  tangle.leave_solids();

  // 2. Lines of intersection shorter and shorter
  double step = kStep;
  for (int stalled = 0, rejected = 0;
       !tangle.is_solved() && tangle.can_search() && stalled < most_stalled && rejected < kMostRejected;
       ++stalled) {
    const size_t before = tangle.pairs().size();
    result.pairs = static_cast<int>(before);
    if (tell) tell(result);
    const int failed = tangle.attempt(tangle.along_lines(step));
    rejected += failed;
    if (failed > kHalvings) step *= kShorter;
    if (tangle.pairs().size() < before) {
      stalled = rejected = 0;
      step = kStep;
    }
    ++result.iterations;
  }

  // 3. Gaps
  for (int k = 0; k < kSettling && tangle.pairs().empty(); ++k) {
    const Move move = tangle.apart();
    if (k >= kSettling / 4 && move.displacement.isZero(0)) break;
    tangle.attempt(move);
  }

  result.positions = tangle.cloth();
  result.pairs = static_cast<int>(tangle.pairs().size());
  result.in_bodies = tangle.in_bodies();
  result.largest_move = (result.positions - positions).colwise().norm().maxCoeff();
  return result;
}

}  // namespace muslin

#include "muslin/repair/untangle.h"

#include <algorithm>
#include <cmath>

#include "muslin/audit/bodies.h"
#include "muslin/audit/solids.h"
#include "muslin/audit/surface.h"
#include "muslin/contact/gap.h"
#include "muslin/contact/scene_surfaces.h"
#include "muslin/geometry/distance.h"
#include "muslin/repair/contour.h"

namespace muslin {

namespace {

constexpr double kStep = 0.2;        // of the edges about a vertex: how far it moves in one iteration
constexpr double kBlunt = 0.1;       // pulls shorter than this say little
constexpr int kRings = 3;            // of neighbours that follow a pull …
constexpr double kFollow = 0.5;      // … with this weight a ring
constexpr int kSweeps = 8;           // of relaxation an iteration
constexpr double kRelaxed = 0.3;     // of a strain in a sweep
constexpr int kHalvings = 5;         // of a move that would make more pairs
constexpr double kShorter = 0.7;     // of the step, if halving does not help
constexpr int kMostRejected = 60;    // moves in a row
constexpr int kMostStalled = 150;    // iterations in a row without fewer pairs
constexpr int kSettling = 40;        // iterations that widen gaps and take back strain
constexpr double kLeastGap = 0.002;  // of the mean edge: kept by cloth without thickness

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
  void add(int vertex, double share, const Vec3& pull) {
    sum.col(vertex) += share * pull;
    weight[vertex] += std::abs(share) * pull.norm();
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
  bool is_solved() const {
    return pairs_.empty() && (clearance_.array() >= model_.half_thickness.array()).all();
  }
  Points cloth() const { return x_.leftCols(count_); }
  IndexPairs in_bodies() const;
  double mean_edge() const { return edge_about_.mean(); }

  Move out_of_solids() const;
  Move along_lines(double step) const;
  Move apart() const;

  /// Makes a move, or half of it, and so on, so that there are no more pairs than before. Returns how many
  /// trials failed.
  int attempt(const Move& move);

 private:
  bool is_cloth(int triangle) const { return triangle < static_cast<int>(model_.triangles.size()); }
  IndexPairs find_pairs(const Points& x) const;
  void relax(double share, const std::vector<char>& zone, Points& x) const;
  void keep_out(const Scalars& clearance, Points& x) const;
  double gap_to(int solid, const Vec3& place) const;

  const Model& model_;
  int count_;  // vertices of cloth
  SceneSurfaces scene_;
  Topology topology_;
  Surface surface_;          // all triangles, those of cloth first
  std::vector<Pose> poses_;  // of colliders
  std::vector<int> solids_;  // colliders that have an inside
  Scalars edge_about_;       // mean length at rest of the edges about a vertex of cloth [m]
  Points x_;                 // all places [m]
  IndexPairs pairs_;
  Scalars clearance_;       // what a vertex of cloth keeps from solids, beyond their margin [m]
  std::vector<char> zone_;  // vertices of cloth that have moved, and a ring about them
};

Tangle::Tangle(const Model& model, const Points& positions)
    : model_(model),
      count_(model.vertex_count()),
      scene_(model),
      topology_(build_topology(scene_.surfaces().vertex_count(), scene_.surfaces().triangles, "untangle")),
      surface_(make_surface(scene_.surfaces().vertex_count(), scene_.surfaces().triangles)),
      edge_about_(Scalars::Zero(count_)),
      x_(3, scene_.surfaces().vertex_count()),
      clearance_(model.half_thickness),
      zone_(count_, 0) {
  Scalars degree = Scalars::Zero(count_);
  for (size_t e = 0; e < model.edges.size(); ++e)
    for (const int v : model.edges[e]) {
      edge_about_[v] += model.edge_length[e];
      ++degree[v];
    }
  edge_about_.array() /= degree.array().max(1);
  for (int c = 0; c < static_cast<int>(model.colliders.size()); ++c) {
    const Collider& collider = model.colliders[c];
    poses_.push_back(pose_at(collider, 0));
    const bool two_sided = collider.shape == Shape::plane && collider.friction_law == FrictionLaw::cs184;
    if (collider.enabled && !two_sided) solids_.push_back(c);
  }
  x_ << positions, scene_.bodies_at(poses_, 0);
  for (int v = 0; v < count_; ++v)
    for (const int c : solids_) clearance_[v] = std::min(clearance_[v], gap_to(c, x_.col(v)));
  pairs_ = find_pairs(x_);
}

IndexPairs Tangle::find_pairs(const Points& x) const {
  IndexPairs pairs = intersecting_pairs(surface_, x);
  const auto of_bodies = [&](const auto& pair) { return !is_cloth(pair.first); };
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), of_bodies), pairs.end());
  return pairs;
}

double Tangle::gap_to(int solid, const Vec3& place) const {
  const Collider& collider = model_.colliders[solid];
  return surface_of(collider, poses_[solid], place).distance - collider.margin;
}

IndexPairs Tangle::in_bodies() const {
  IndexPairs found;
  for (const auto& [a, b] : pairs_)
    if (!is_cloth(b)) found.emplace_back(a, scene_.collider_of(surface_.triangles[b][0]));
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// --- moves -------------------------------------------------------------------------------------------

/// Vertices inside solids to their surface.
Move Tangle::out_of_solids() const {
  return {Points::Zero(3, count_), model_.half_thickness - clearance_, /*sweeps=*/0};
}

/// Shortens the lines of intersection; triangles that meet a solid go away from it.
Move Tangle::along_lines(double step) const {
  Move move{Points::Zero(3, count_), Scalars::Zero(count_), kSweeps};
  for (const auto& [a, b] : pairs_) {
    if (is_cloth(b)) continue;
    const int met = scene_.collider_of(surface_.triangles[b][0]);
    if (std::binary_search(solids_.begin(), solids_.end(), met))
      for (const int v : surface_.triangles[a]) move.outwards[v] = step * edge_about_[v];
  }
  Pulls pulls(static_cast<int>(x_.cols()));
  for (const Piercing& p : find_piercings(x_, surface_.triangles, topology_, pairs_)) {
    const Vec3 pull = p.pull / std::hypot(p.pull.norm(), kBlunt);
    for (int k = 0; k < 2; ++k) pulls.add(p.edge[k], p.edge_weight[k], pull);
    for (int k = 0; k < 3; ++k) pulls.add(p.triangle[k], -p.triangle_weight[k], pull);
  }
  for (int ring = 0; ring < kRings; ++ring) pulls.spread(model_.edges);
  for (int v = 0; v < count_; ++v) {
    if (clearance_[v] < model_.half_thickness[v]) move.outwards[v] = step * edge_about_[v];
    if (pulls.weight[v] > 0)
      move.displacement.col(v) = step * edge_about_[v] / pulls.weight[v] * pulls.sum.col(v);
  }
  return move;
}

/// Widens gaps that are too small.
Move Tangle::apart() const {
  const auto half = [&](int v) {
    return std::max(scene_.surfaces().half_thickness[v], kLeastGap / 2 * mean_edge());
  };
  double within = 0;
  for (int v = 0; v < x_.cols(); ++v) within = std::max(within, 2 * half(v));
  Pulls pushes(count_);
  for (const ElementPair& pair : find_gaps(surface_, x_, within)) {
    const Stencil<4> v = vertices_of(surface_, pair);
    const double missing = half(v[0]) + half(v[3]) - pair.distance;
    if (missing <= 0) continue;
    Quad places;
    for (int k = 0; k < 4; ++k) places.col(k) = x_.col(v[k]);
    const Closest closest = closest_points(
        pair.kind == Elements::edge_edge ? PairKind::edge_edge : PairKind::point_triangle, places);
    double square = 0;
    for (int k = 0; k < 4; ++k)
      if (v[k] < count_) square += closest.weight[k] * closest.weight[k];
    for (int k = 0; k < 4; ++k)
      if (v[k] < count_) pushes.add(v[k], closest.weight[k], missing / square * closest.normal);
  }
  return {Points(pushes.sum), Scalars::Zero(count_), 1};
}

// --- trials ------------------------------------------------------------------------------------------

int Tangle::attempt(const Move& move) {
  for (int v = 0; v < count_; ++v)
    if (!move.displacement.col(v).isZero(0) || move.outwards[v] > 0) zone_[v] = 1;
  std::vector<char> zone = zone_;
  for (const auto& [a, b] : model_.edges)
    if (zone_[a] || zone_[b]) zone[a] = zone[b] = 1;

  double share = 1;
  for (int failed = 0; failed <= kHalvings; ++failed, share /= 2) {
    Points x = x_;
    const Scalars clearance = clearance_ + share * move.outwards;
    x.leftCols(count_) += share * move.displacement.cwiseProduct(model_.free);
    keep_out(clearance, x);
    for (int sweep = 0; sweep < move.sweeps; ++sweep) {
      relax(share * kRelaxed, zone, x);
      keep_out(clearance, x);
    }
    IndexPairs pairs = find_pairs(x);
    if (pairs.size() > pairs_.size()) continue;
    x_ = x;
    pairs_ = pairs;
    clearance_ = clearance;
    zone_ = zone;
    return failed;
  }
  return kHalvings + 1;
}

/// Shortens edges in the zone that are longer than at rest. Short ones may stay: cloth buckles.
void Tangle::relax(double share, const std::vector<char>& zone, Points& x) const {
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
    if (zone[v]) x.col(v) += share * 3 / std::max(degree[v], 1.0) * d.col(v).cwiseProduct(model_.free.col(v));
}

void Tangle::keep_out(const Scalars& clearance, Points& x) const {
  for (int v = 0; v < count_; ++v)
    for (const int c : solids_) {
      const Collider& collider = model_.colliders[c];
      const auto [distance, normal] = surface_of(collider, poses_[c], x.col(v));
      const double missing = collider.margin + clearance[v] - distance;
      if (missing > 0) x.col(v) += missing * normal.cwiseProduct(model_.free.col(v));
    }
}

}  // namespace

Untangled untangle(const Model& model, const Points& positions) {
  Tangle tangle(model, positions);
  Untangled result{positions, static_cast<int>(tangle.pairs().size()), 0, {}, 0, 0};
  if (tangle.pairs().empty() && vertices_inside(model.colliders, 0, positions).empty()) return result;

  // 1. Out of solids at once, if that makes no more pairs
  tangle.attempt(tangle.out_of_solids());

  // 2. Lines of intersection shorter and shorter
  double step = kStep;
  for (int stalled = 0, rejected = 0;
       !tangle.is_solved() && stalled < kMostStalled && rejected < kMostRejected; ++stalled) {
    const size_t before = tangle.pairs().size();
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

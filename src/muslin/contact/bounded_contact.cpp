#include "muslin/contact/bounded_contact.h"

#include <algorithm>
#include <cmath>

#include "muslin/contact/scene_surfaces.h"
#include "muslin/core/check.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {

constexpr double kShare = 0.9;       // γ: of its distance, by which a pair may come together in a step
constexpr double kLeast = 0.1;       // of its radius: a pair comes no nearer
constexpr double kTouching = -1;     // a room of this size forbids every motion
constexpr double kMostReach = 1;     // of the mean edge
constexpr double kRecovery = 0.004;  // [s] in which what is missing of a radius is made up for
constexpr int kPasses = 4;           // of pushes: the weight of some layers is carried
// What cloth may do before pairs are looked for again: of the reach, and of the mean edge.
constexpr double kReserve = 4, kLeastReserve = 0.03, kMostReserve = 0.15;
constexpr double kSeparation = 64 * std::numeric_limits<double>::epsilon();  // of the largest coordinate
constexpr double kRounding = 1e-9;  // by which a reach is more than what it is for

// Held vertices move, too; colliders are met by vertices.
Surfaces cloth_surfaces(const Model& model) {
  Surfaces surfaces = SceneSurfaces(model, Bodies::left_out).surfaces();
  std::fill(surfaces.moves.begin(), surfaces.moves.end(), 1);
  return surfaces;
}

int first_of_b(PairKind kind) { return kind == PairKind::point_triangle ? 1 : 2; }

template <class Entries>
double most_of(const Stencil<4>& vertices, const Entries& entry) {
  return std::max({entry[vertices[0]], entry[vertices[1]], entry[vertices[2]], entry[vertices[3]]});
}

/// The numbers in [0, count) for which keep(i), ascending; called from several threads.
template <class Keep>
std::vector<int> numbers_that(int count, const Keep& keep) {
  const int chunks = (count + kGrain - 1) / kGrain;
  std::vector<std::vector<int>> found(chunks);
  parallel_for(
      chunks,
      [&](int c) {
        for (int i = c * kGrain; i < std::min(count, (c + 1) * kGrain); ++i)
          if (keep(i)) found[c].push_back(i);
      },
      1);
  std::vector<int> numbers;
  for (const auto& part : found) numbers.insert(numbers.end(), part.begin(), part.end());
  return numbers;
}

}  // namespace

BoundedContact::BoundedContact(const Model& model)
    : candidates_(cloth_surfaces(model)), edge_(mean_edge(model)) {}

void BoundedContact::begin(const Points& start) {
  start_ = start;
  separation_ = kSeparation * start.cwiseAbs().maxCoeff();
  least_distance_ = std::numeric_limits<double>::infinity();
  if (listed_at_.cols() != start.cols()) return;
  travel_ = way_between(listed_at_, start);
}

// The common motion is the mean where that is what moves cloth: where no vertex is at rest.
BoundedContact::Way BoundedContact::way_between(const Points& from, const Points& to) {
  const int count = static_cast<int>(from.cols());
  const auto beside = [&](const Vec3& common) {
    Way way{common, Scalars(count)};
    parallel_for(count, [&](int v) { way.beside[v] = (to.col(v) - from.col(v) - common).norm(); });
    way.longest = way.beside.maxCoeff();
    return way;
  };
  const Vec3 mean =
      parallel_sum(count, Vec3(Vec3::Zero()), [&](int v) -> Vec3 { return to.col(v) - from.col(v); }) / count;
  Way whole = beside(Vec3::Zero());
  if (mean.norm() < whole.longest / 2) return whole;
  Way part = beside(mean);
  return part.longest < whole.longest / 2 ? part : whole;
}

// Pairs that are at least so far apart cannot meet on ways as long as these, if longer ones are cut.
double BoundedContact::reach_of(const Way& way) const {
  return std::min((1 + kRounding) * 2 / kShare * way.longest, kMostReach * edge_) + separation_;
}

// Every pair that is nearer than `reach` at the start, beyond its radius, is listed.
void BoundedContact::cover(double reach) {
  if (reach + 2 * travel_.longest + 2 * separation_ <= covered_) return;
  const double reserve = std::clamp(kReserve * reach, kLeastReserve * edge_, kMostReserve * edge_);
  covered_ = reach + 2 * reserve;
  candidates_.detect(start_, Points::Zero(3, start_.cols()), covered_ / 2);
  listed_at_ = start_;
  travel_ = {Vec3::Zero(), Scalars::Zero(start_.cols())};
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  listed_.resize(pairs.size());
  parallel_for(static_cast<int>(pairs.size()), [&](int p) {
    listed_[p] = closest_points(pairs[p].kind, gather(start_, pairs[p].vertices)).distance;
  });
}

// No more than the distance at the start, for less than it takes to measure it.
double BoundedContact::distance_bound(int pair) const {
  const ContactPair& p = candidates_.pairs()[pair];
  return listed_[pair] - sum_of_sides(p.kind, p.vertices, travel_.beside) - 2 * separation_;
}

int BoundedContact::push_apart(const Model& model, double h, Points& x) {
  find_near(h, x);
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  int count = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    // 1. Who is pushed
    const std::vector<int> pushed =
        numbers_that(static_cast<int>(near_.size()), [&](int k) { return depth_of(near_[k], x) > 0; });
    if (pass == 0) count = static_cast<int>(pushed.size());

    // 2. By how much, all from the same positions
    Scalars load = Scalars::Zero(x.cols());  // Σ |w| over the pairs of a vertex
    for (const int q : pushed)
      for (int k = 0; k < 4; ++k)
        load[pairs[near_[q].pair].vertices[k]] += std::abs(near_[q].closest.weight[k]);
    std::vector<Vec3> impulse(pushed.size());
    parallel_for(
        static_cast<int>(pushed.size()),
        [&](int q) { impulse[q] = impulse_of(near_[pushed[q]], model, load, x); }, 64);

    // 3. Δx = M⁻¹ Jᵀ λ
    for (size_t q = 0; q < pushed.size(); ++q) {
      const auto& [p, closest, wanted] = near_[pushed[q]];
      for (int k = 0; k < 4; ++k) {
        const int v = pairs[p].vertices[k];
        x.col(v) += closest.weight[k] * model.inverse_mass.col(v).cwiseProduct(impulse[q]);
      }
    }
  }
  return count;
}

// What begins too near need not come to its radius at once, as it would go on so fast.
void BoundedContact::find_near(double h, const Points& x) {
  const Way way = way_between(start_, x);
  const double reach = reach_of(way);
  cover(reach);
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  const std::vector<int> near = numbers_that(static_cast<int>(pairs.size()), [&](int p) {
    return distance_bound(p) <
           pairs[p].radius + std::min(reach, sum_of_sides(pairs[p].kind, pairs[p].vertices, way.beside));
  });
  near_.resize(near.size());
  parallel_for(
      static_cast<int>(near.size()),
      [&](int k) {
        const ContactPair& pair = pairs[near[k]];
        const Closest closest = closest_points(pair.kind, gather(start_, pair.vertices));
        const double missing = std::max(0.0, pair.radius - closest.distance);
        near_[k] = {near[k], closest, pair.radius - (1 - std::min(1.0, h / kRecovery)) * missing};
      },
      64);
  std::erase_if(near_, [&](const Near& n) { return n.closest.distance >= pairs[n.pair].radius + reach; });
  for (const auto& [p, closest, wanted] : near_)
    if (closest.distance < pairs[p].radius) least_distance_ = std::min(least_distance_, closest.distance);
}

double BoundedContact::depth_of(const Near& near, const Points& x) const {
  const Quad corners = gather(x, candidates_.pairs()[near.pair].vertices);
  return near.wanted - near.closest.normal.dot(corners * near.closest.weight);
}

// The multiplier λ [kg m] along the normal and against the slip. Pairs that share vertices would together do
// too much: A = J M⁻¹ Jᵀ is bounded by the sums of its rows' |A|, and these by D = Σ |w| load / m, so that
// D⁻¹ is a Jacobi pass that never does.
Vec3 BoundedContact::impulse_of(const Near& near, const Model& model, const Scalars& load,
                                const Points& x) const {
  const auto& [p, closest, wanted] = near;
  const ContactPair& pair = candidates_.pairs()[p];
  const auto multiplier = [&, &closest = closest](double length, const Vec3& along) {
    double d = 0;
    for (int k = 0; k < 4; ++k)
      d += std::abs(closest.weight[k]) * load[pair.vertices[k]] *
           along.cwiseAbs2().dot(model.inverse_mass.col(pair.vertices[k]));
    return d > 0 ? length / d : 0;
  };
  const double pushed = multiplier(depth_of(near, x), closest.normal);
  const Vec3 motion = (gather(x, pair.vertices) - gather(start_, pair.vertices)) * closest.weight;
  const Vec3 slip = motion - motion.dot(closest.normal) * closest.normal;
  const double length = slip.norm();
  if (length == 0) return pushed * closest.normal;
  const Vec3 along = slip / length;
  return pushed * closest.normal - std::min(pair.friction * pushed, multiplier(length, along)) * along;
}

// What either side may use up of a distance.
double BoundedContact::room(const ContactPair& pair, double distance) const {
  return kShare / 2 * std::max(0.0, distance - kLeast * pair.radius - separation_);
}

// The sides are convex: all of A lies beyond its nearest point, seen along the normal, and all of B behind
// its own. Rounding turns the normal of a pair that is very near; what is between the two is what they are
// apart along the normal as it is. A pair that touches has no normal: its vertices stay.
BoundedContact::Plane BoundedContact::plane_of(int pair, const Scalars& length) const {
  const ContactPair& p = candidates_.pairs()[pair];
  const Quad x = gather(start_, p.vertices);
  const Closest closest = closest_points(p.kind, x);
  if (room(p, closest.distance) >= most_of(p.vertices, length)) return {pair, Vec3::Zero(), 0};
  const Eigen::Vector4d height = x.transpose() * closest.normal;
  const int of_a = first_of_b(p.kind);
  const double apart = height.head(of_a).minCoeff() - height.tail(4 - of_a).maxCoeff();
  return {pair, closest.normal, apart > separation_ ? room(p, apart) : kTouching};
}

int BoundedContact::cut(Points& x) {
  // 1. No further than pairs are looked for
  const Way way = way_between(start_, x);
  separation_ += kSeparation * way.common.norm();
  const double reach = reach_of(way), most = kShare / 2 * (reach - separation_);
  cover(reach);
  const Scalars length = way.beside.cwiseMin(most);
  Scalars part = Scalars::Ones(x.cols());  // of the way that each may go
  for (int v = 0; v < x.cols(); ++v)
    if (way.beside[v] > most) part[v] = most / way.beside[v];

  // 2. The planes that are in the way
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  const std::vector<int> near = numbers_that(static_cast<int>(pairs.size()), [&](int p) {
    return room(pairs[p], distance_bound(p)) < most_of(pairs[p].vertices, length);
  });
  std::vector<Plane> planes(near.size());
  parallel_for(
      static_cast<int>(near.size()), [&](int k) { planes[k] = plane_of(near[k], length); }, 64);

  // 3. No further than to these
  for (const auto& [p, normal, room_of_side] : planes)
    for (int k = 0; k < 4; ++k) {
      const int v = pairs[p].vertices[k];
      const double along = normal.dot(x.col(v) - start_.col(v) - way.common);
      const double towards = k < first_of_b(pairs[p].kind) ? -along : along;
      if (room_of_side == kTouching)
        part[v] = 0;
      else if (towards > room_of_side)
        part[v] = std::min(part[v], room_of_side / towards);
    }
  int count = 0;
  for (int v = 0; v < x.cols(); ++v) {
    if (part[v] == 1 || way.beside[v] == 0) continue;
    const Vec3 beside = x.col(v) - start_.col(v) - way.common;
    x.col(v) = start_.col(v) + way.common + part[v] * beside;
    ++count;
  }
  return count;
}

}  // namespace muslin

#include "muslin/contact/bounded/bounded_contact.h"

#include <algorithm>
#include <cmath>

#include "muslin/contact/pairs/scene_surfaces.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"
#include "muslin/geometry/ccd.h"
#include "muslin/model/measure.h"

namespace muslin {

namespace {

// Half and double: docs/performance/constants.md. Where nothing is cut, γ and kLeast decide nothing.
constexpr double kGamma = 0.9;    // γ: fraction of its distance by which a pair may come together in a step
constexpr double kLeast = 0.1;    // over its radius: a pair comes no nearer
constexpr double kTouching = -1;  // a room of this size forbids every motion
constexpr double kRoundings = 4;  // separations that lists have to spare, half of it for bounds of distances
// Time in which what is missing of a radius is made up for [s], and passes of pushes, so many that the weight
// of some layers is carried. Half or double of either moves a stack by 7 to 11 mm.
constexpr double kRecovery = 0.004;
constexpr int kPasses = 4;

// Held vertices move, too; colliders are met by vertices.
Surfaces cloth_surfaces(const Model& model) {
  Surfaces surfaces = SceneSurfaces(model, model.script, Members::cloth).surfaces();
  std::fill(surfaces.moves.begin(), surfaces.moves.end(), 1);
  return surfaces;
}

/// The numbers in [0, count) for which keep(i), ascending; called from several threads.
template <class Keep>
std::vector<int> numbers_that(int count, const Keep& keep) {
  return parallel_collect<int>(count, [&](int i, auto& numbers) {
    if (keep(i)) numbers.push_back(i);
  });
}

}  // namespace

BoundedContact::BoundedContact(const Model& model)
    : pairs_(cloth_surfaces(model), mean_edge(model)), edge_(mean_edge(model)) {}

void BoundedContact::begin(const Points& start) {
  start_ = start;
  separation_ = kSeparation * start.cwiseAbs().maxCoeff();
  least_distance_ = std::numeric_limits<double>::infinity();
  pairs_.begin(start);
}

// The common motion is the mean where that is what moves cloth: where no vertex is at rest.
BoundedContact::Way BoundedContact::way_to(const Points& x) const {
  const int count = static_cast<int>(x.cols());
  const double most = kGamma / 2 * edge_;
  const Points whole = x - start_;
  const Vec3 mean = parallel_sum(count, Vec3(Vec3::Zero()), [&](int v) { return whole.col(v); }) / count;
  const Points apart = whole.colwise() - mean;
  const bool together =
      apart.colwise().squaredNorm().maxCoeff() < whole.colwise().squaredNorm().maxCoeff() / 4;
  Way way{together ? mean : Vec3::Zero(), together ? apart : whole, {}, std::vector<char>(count)};
  way.length = way.beside.colwise().norm();
  for (int v = 0; v < count; ++v) {
    if (!(way.length[v] > most)) continue;
    way.beside.col(v) *= most / way.length[v];
    way.length[v] = most;
    way.is_shortened[v] = 1;
  }
  return way;
}

int BoundedContact::push_apart(const Points& inverse_mass, double h, Points& x) {
  const std::vector<Near> all = find_near(h, x);
  int count = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    // 1. Who is pushed
    const std::vector<int> pushed =
        numbers_that(static_cast<int>(all.size()), [&](int k) { return depth_of(all[k], x) > 0; });
    if (pass == 0) count = static_cast<int>(pushed.size());

    // 2. By how much, all from the same positions
    Scalars load = Scalars::Zero(x.cols());  // Σ |w| over the pairs of a vertex
    for (const int q : pushed)
      for (int k = 0; k < 4; ++k) load[all[q].pair->vertices[k]] += std::abs(all[q].closest.weight[k]);
    std::vector<Vec3> impulse(pushed.size());
    parallel_for(
        static_cast<int>(pushed.size()),
        [&](int q) { impulse[q] = impulse_of(all[pushed[q]], inverse_mass, load, x); }, 64);

    // 3. Δx = M⁻¹ Jᵀ λ
    for (size_t q = 0; q < pushed.size(); ++q) {
      const auto& [pair, closest, wanted] = all[pushed[q]];
      for (int k = 0; k < 4; ++k) {
        const int v = pair->vertices[k];
        x.col(v) += closest.weight[k] * inverse_mass.col(v).cwiseProduct(impulse[q]);
      }
    }
  }
  return count;
}

// What begins too near need not come to its radius at once, as it would go on so fast.
std::vector<BoundedContact::Near> BoundedContact::find_near(double h, const Points& x) {
  const Way way = way_to(x);
  pairs_.cover(way.beside, ClosePairs::Motion::beside, 1, kRoundings * separation_);
  const auto is_near = [&](const ClosePair& pair, double distance) {
    return distance < pair.radius + change_between(pair, way.beside);
  };
  const std::vector<ClosePairs::Found> found = pairs_.near([&](const ClosePair& pair, double least) {
    return is_near(pair, least - kRoundings / 2 * separation_);
  });
  std::vector<Near> near(found.size());
  parallel_for(
      static_cast<int>(found.size()),
      [&](int k) {
        const ClosePair& pair = found[k].pair();
        const Closest closest = closest_points(pair.kind, gather(start_, pair.vertices));
        found[k].set_distance(closest.distance);
        const double missing = std::max(0.0, pair.radius - closest.distance);
        near[k] = {&pair, closest, pair.radius - (1 - std::min(1.0, h / kRecovery)) * missing};
      },
      64);
  std::erase_if(near, [&](const Near& n) { return !is_near(*n.pair, n.closest.distance); });
  for (const auto& [pair, closest, wanted] : near)
    if (closest.distance < pair->radius) least_distance_ = std::min(least_distance_, closest.distance);
  return near;
}

double BoundedContact::depth_of(const Near& near, const Points& x) const {
  const Quad corners = gather(x, near.pair->vertices);
  return near.wanted - near.closest.normal.dot(corners * near.closest.weight);
}

// The multiplier λ [kg m] along the normal and against the slip. Pairs that share vertices would together do
// too much: A = J M⁻¹ Jᵀ is bounded by the sums of its rows' |A|, and these by D = Σ |w| load / m, so that
// D⁻¹ is a Jacobi pass that never does.
Vec3 BoundedContact::impulse_of(const Near& near, const Points& inverse_mass, const Scalars& load,
                                const Points& x) const {
  const auto& [listed, closest, wanted] = near;
  const ClosePair& pair = *listed;
  const auto multiplier = [&, &closest = closest](double length, const Vec3& along) {
    double d = 0;
    for (int k = 0; k < 4; ++k)
      d += std::abs(closest.weight[k]) * load[pair.vertices[k]] *
           along.cwiseAbs2().dot(inverse_mass.col(pair.vertices[k]));
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

// What both sides together may use up of a distance.
double BoundedContact::room(const ClosePair& pair, double distance) const {
  return kGamma * std::max(0.0, distance - kLeast * pair.radius - separation_);
}

// Whether any pair can use up its room: by what its vertices go beside each other.
bool BoundedContact::is_tight(const Way& way) {
  pairs_.cover(way.beside, ClosePairs::Motion::beside, 1 / kGamma, kRoundings * separation_);
  const auto can_meet = [&](const ClosePair& pair, double distance) {
    return room(pair, distance) < change_between(pair, way.beside);
  };
  const std::vector<ClosePairs::Found> found = pairs_.near([&](const ClosePair& pair, double least) {
    return can_meet(pair, least - kRoundings / 2 * separation_);
  });
  return std::any_of(found.begin(), found.end(), [&](const ClosePairs::Found& f) {
    const double distance = closest_points(f.pair().kind, gather(start_, f.pair().vertices)).distance;
    f.set_distance(distance);
    return can_meet(f.pair(), distance);
  });
}

// The sides are convex: all of A lies beyond its nearest point, seen along the normal, and all of B behind
// its own. Rounding turns the normal of a pair that is very near; what is between the two is what they are
// apart along the normal as it is. A pair that touches has no normal: its vertices stay.
BoundedContact::Plane BoundedContact::plane_of(const ClosePair& pair, const Scalars& length) const {
  const Quad x = gather(start_, pair.vertices);
  const Closest closest = closest_points(pair.kind, x);
  if (room(pair, closest.distance) >= sum_of_sides(pair.kind, pair.vertices, length))
    return {&pair, Vec3::Zero(), 0};
  const Eigen::Vector4d height = x.transpose() * closest.normal;
  const int of_a = first_of_b(pair.kind);
  const double apart = height.head(of_a).minCoeff() - height.tail(4 - of_a).maxCoeff();
  return {&pair, closest.normal, apart > separation_ ? room(pair, apart) / 2 : kTouching};
}

// The part of its way that each vertex may go, not to leave its side of a plane.
Scalars BoundedContact::parts_before_planes(const Way& way) {
  pairs_.cover(way.beside, ClosePairs::Motion::whole, 1 / kGamma, kRoundings * separation_);
  const std::vector<ClosePairs::Found> found = pairs_.near([&](const ClosePair& pair, double least) {
    return room(pair, least - kRoundings / 2 * separation_) <
           sum_of_sides(pair.kind, pair.vertices, way.length);
  });
  std::vector<Plane> planes(found.size());
  parallel_for(
      static_cast<int>(found.size()), [&](int k) { planes[k] = plane_of(found[k].pair(), way.length); }, 64);

  Scalars part = Scalars::Ones(way.length.size());
  for (const auto& [pair, normal, room_of_side] : planes)
    for (int k = 0; k < 4; ++k) {
      const int v = pair->vertices[k];
      const double along = normal.dot(way.beside.col(v));
      const double towards = k < first_of_b(pair->kind) ? -along : along;
      if (room_of_side == kTouching)
        part[v] = 0;
      else if (towards > room_of_side)
        part[v] = std::min(part[v], room_of_side / towards);
    }
  return part;
}

int BoundedContact::cut(Points& x) {
  const Way way = way_to(x);
  separation_ += kSeparation * way.common.norm();
  const bool tight = is_tight(way);
  const Scalars part = tight ? parts_before_planes(way) : Scalars::Ones(x.cols());
  int count = 0;
  for (int v = 0; v < x.cols(); ++v) {
    const bool is_cut = way.is_shortened[v] || (part[v] < 1 && way.length[v] > 0);
    if (!is_cut) continue;
    x.col(v) = start_.col(v) + way.common + part[v] * way.beside.col(v);
    ++count;
  }
  return count;
}

}  // namespace muslin

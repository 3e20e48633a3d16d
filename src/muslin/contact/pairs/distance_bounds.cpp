#include "muslin/contact/pairs/distance_bounds.h"

#include <algorithm>
#include <limits>

#include "muslin/contact/pairs/safe_step.h"
#include "muslin/core/parallel.h"
#include "muslin/core/simd_register.h"
#include "muslin/core/vector.h"
#include "muslin/energy/energy.h"
#include "muslin/geometry/ccd.h"
#include "muslin/geometry/rounded.h"

namespace muslin {

namespace {

constexpr float kUnknown = -std::numeric_limits<float>::infinity();
// Of the largest coordinate: more than distances in double precision err by, whatever the shape (2⁻⁴⁰).
constexpr double kRoundingOfDoubles = 0x1p-38;
// More than the rounding of the few sums of positive floats that are made here.
constexpr float kLess = 1 - 0x1p-20F;
// Collision detection lets a pair use up its distance but for Clearance::fraction and the reserve. It
// certifies a whole motion in its first step where the sides move less than that against each other; a
// twentieth is for its roundings.
constexpr float kFree = static_cast<float>(1 - Clearance{}.fraction - 0.05);
constexpr float kReserved = static_cast<float>(2 * kReserve);  // of a radius; half of it for roundings

double largest_coordinate(const Points& x) {
  return parallel_reduce(
      static_cast<int>(x.cols()), 0.0, [&](int v) { return x.col(v).cwiseAbs().maxCoeff(); },
      [](double& most, double m) { most = std::max(most, m); }, kGrain);
}

}  // namespace

void DistanceBounds::watch(const std::vector<ContactPair>& pairs) {
  place_.resize(3, 0);
  watched_.resize(pairs.size());
  parallel_for(static_cast<int>(pairs.size()), [&](int p) {
    watched_[p] = {pairs[p].vertices, rounded_up(pairs[p].radius), kUnknown};
  });
  runs_.clear();
  for (int p = 0; p < static_cast<int>(pairs.size());) {
    const PairKind kind = pairs[p].kind;
    const auto end = std::partition_point(pairs.begin() + p, pairs.end(),
                                          [&](const ContactPair& pair) { return pair.kind == kind; });
    runs_.push_back({kind, p, static_cast<int>(end - pairs.begin())});
    p = runs_.back().last;
  }
}

// --- how far vertices have gone ------------------------------------------------------------------------

// Of a way to x or from there; all that is not finite is NaN, and no bound holds.
void DistanceBounds::find_motion(const Points& way, const Points& x) {
  const int count = std::max(1, cloth_count_);
  const Vec3 common =
      parallel_sum(cloth_count_, Vec3(Vec3::Zero()), [&](int v) { return way.col(v); }) / count;
  rounding_ = kRoundingOfDoubles * (largest_coordinate(x) + largest_coordinate(way));
  motion_.resize(way.cols());
  parallel_for(static_cast<int>(way.cols()),
               [&](int v) { motion_[v] = rounded_up((way.col(v) - common).norm() + rounding_); });
}

float DistanceBounds::motion_of(PairKind kind, const Stencil<4>& vertices) const {
  const float a = motion_[vertices[0]], b = motion_[vertices[1]], c = motion_[vertices[2]],
              d = motion_[vertices[3]];
  return kind == PairKind::edge_edge ? std::max(a, b) + std::max(c, d) : a + std::max(b, std::max(c, d));
}

bool DistanceBounds::turns(const Stencil<4>& plane, const Points& way) {
  return way.col(plane[1]) != way.col(plane[2]) || way.col(plane[1]) != way.col(plane[3]);
}

// --- looks ---------------------------------------------------------------------------------------------

const std::vector<ActivePair>& DistanceBounds::active_at(const std::vector<ContactPair>& pairs,
                                                         const Points& x) {
  if (place_.cols() != x.cols() || place_ != x) look(pairs, x);
  return active_;
}

DistanceBounds::Places DistanceBounds::rounded(const Points& x) const {
  Places places{x, {}};
  const Vec3 origin = cloth_count_ > 0 ? Vec3(x.leftCols(cloth_count_).rowwise().mean()) : Vec3::Zero();
  places.rounded.resize(x.cols());
  parallel_for(static_cast<int>(x.cols()), [&](int v) {
    const Vec3 place = x.col(v) - origin;
    const double extent = place.norm();
    const float reach =
        extent < LaneRounding::kLargest / 2 ? rounded_up(extent) : std::numeric_limits<float>::infinity();
    places.rounded[v] = Floats{static_cast<float>(place[0]), static_cast<float>(place[1]),
                               static_cast<float>(place[2]), reach};
  });
  return places;
}

void DistanceBounds::look(const std::vector<ContactPair>& pairs, const Points& x) {
  const Points way = place_.cols() > 0 ? Points(x - place_) : Points::Zero(3, x.cols());
  find_motion(way, x);
  const Places places = rounded(x);
  active_.clear();
  for (const Run& run : runs_) {
    const int chunks = (run.last - run.first + kGrain - 1) / kGrain;
    std::vector<std::vector<ActivePair>> found(chunks);
    parallel_for(
        chunks,
        [&](int c) {
          const int first = run.first + c * kGrain;
          const Run part{run.kind, first, std::min(run.last, first + kGrain)};
          look_at_run(pairs, part, places, way, found[c]);
        },
        1);
    for (const auto& part : found) active_.insert(active_.end(), part.begin(), part.end());
  }
  place_ = x;
}

// The active of a run, appended; their room and that of all others is then that of these places.
void DistanceBounds::look_at_run(const std::vector<ContactPair>& pairs, const Run& run, const Places& places,
                                 const Points& way, std::vector<ActivePair>& active) {
  // 1. What is left of the room, where that is enough
  std::vector<int> unsure;
  for (int p = run.first; p < run.last; ++p) {
    Watched& pair = watched_[p];
    const float left = pair.room - motion_of(run.kind, pair.vertices);
    const bool is_known = run.kind != PairKind::point_plane || !turns(pair.vertices, way);
    if (filters_ && is_known && left >= pair.radius)
      pair.room = kLess * left;
    else
      unsure.push_back(p);
  }

  // 2. Else bounds of four at once, the last of them repeated
  if (filters_ && run.kind != PairKind::point_plane) {
    const size_t count = unsure.size();
    unsure.resize(count > 0 ? (count + 3) / 4 * 4 : 0, count > 0 ? unsure.back() : 0);
    for (size_t k = 0; k < count; k += 4) bound_four(pairs, run.kind, places, &unsure[k]);
    unsure.resize(count);
    std::erase_if(unsure, [&](int p) { return watched_[p].room >= watched_[p].radius; });
  }

  // 3. And distances
  for (const int p : unsure) {
    const Closest closest = closest_of(pairs[p], gather(places.x, pairs[p].vertices));
    watched_[p].room = rounded_down(closest.distance);
    if (closest.distance < pairs[p].radius) active.push_back({p, closest});
  }
}

// LaneRounding says what is left out of the bounds: kAbsolute R, doubled for the roundings here.
void DistanceBounds::bound_four(const std::vector<ContactPair>& pairs, PairKind kind, const Places& places,
                                const int* four_pairs) {
  FourVectors corner[4];
  Floats extent[4];
  for (int k = 0; k < 4; ++k) {
    const auto place = [&](int lane) { return places.rounded[watched_[four_pairs[lane]].vertices[k]]; };
    Floats x = place(0), y = place(1), z = place(2), e = place(3);
    Fours<4>::transpose(x, y, z, e);
    corner[k] = {x, y, z};
    extent[k] = e;
  }
  const auto& [a, b, c, d] = corner;
  const auto& [ea, eb, ec, ed] = extent;
  const bool edges = kind == PairKind::edge_edge;
  const Floats lower = edges ? lane_distances<Floats, 2, 2>({a, b}, {c, d}).lower
                             : lane_distances<Floats, 1, 3>({a}, {b, c, d}).lower;
  const Floats of_both =
      edges ? greater_of(ea, eb) + greater_of(ec, ed) : ea + greater_of(eb, greater_of(ec, ed));
  const Floats bound = kLess * lower - 2 * LaneRounding::kAbsolute * of_both;
  for (int lane = 0; lane < 4; ++lane) {
    const double inset = pairs[four_pairs[lane]].inset;
    watched_[four_pairs[lane]].room = inset > 0 ? rounded_down(bound[lane] - inset) : bound[lane];
  }
}

// --- what may stop a motion ----------------------------------------------------------------------------

std::vector<int> DistanceBounds::stopping(const std::vector<ContactPair>& pairs, const Points& x,
                                          const Points& displacement) {
  active_at(pairs, x);
  find_motion(displacement, x);
  std::vector<int> stopping;
  for (const Run& run : runs_) {
    const std::vector<int> of_run =
        parallel_collect<int>(run.last - run.first, [&](int k, std::vector<int>& found) {
          const int p = run.first + k;
          const auto& [vertices, radius, room] = watched_[p];
          const bool is_bounded = run.kind != PairKind::point_plane || !turns(vertices, displacement);
          if (filters_ && is_bounded) {
            const float free = std::min(kFree * room, room - kReserved * static_cast<float>(radius));
            if (motion_of(run.kind, vertices) < free) return;
            if (run.kind != PairKind::point_plane &&
                change_of_distance(run.kind, vertices, displacement) + 2 * rounding_ < free)
              return;
          }
          found.push_back(p);
        });
    stopping.insert(stopping.end(), of_run.begin(), of_run.end());
  }
  return stopping;
}

double DistanceBounds::least_distance(const std::vector<ContactPair>& pairs, const Points& x) {
  double least = kInfinity;
  for (const ActivePair& active : active_at(pairs, x)) least = std::min(least, active.closest.distance);
  return parallel_min(static_cast<int>(pairs.size()), least, [&](int p) {
    if (filters_ && watched_[p].room >= least) return least;
    return closest_of(pairs[p], gather(x, pairs[p].vertices)).distance;
  });
}

}  // namespace muslin

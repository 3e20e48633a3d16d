#include "muslin/contact/pairs/pair_energy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {
// Fraction of its distance that a pair shall keep in a step. Half or double: drape −3, −4 %.
constexpr double kNearer = 0.2;
// Stiffness of what is met on the way, over that of contact. Half or double: drape +4, −3 %.
constexpr double kFirm = 2;
// Of a radius: distance below which a row is not stiffer, so that sums in floats still know of all else. What
// is nearer leaves by longer steps.
constexpr double kStiffest = 1e-3;
}  // namespace

double contact_value(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                     double stiffness) {
  return parallel_sum(static_cast<int>(active.size()), 0.0, [&](int k) {
    return barrier_of(pairs[active[k].pair], stiffness).value(active[k].closest.distance);
  });
}

void append_contact_rows(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                         double stiffness, std::vector<ContactRow>& rows) {
  rows.reserve(rows.size() + active.size());
  for (const auto& [p, closest] : active) {
    const Barrier barrier = barrier_of(pairs[p], stiffness);
    rows.push_back({pairs[p].vertices, closest.weight, closest.normal, barrier.slope(closest.distance),
                    barrier.curvature(std::max(closest.distance, kStiffest * pairs[p].radius))});
  }
}

void append_rows_ahead(const std::vector<ContactPair>& pairs, const std::vector<StoppedPair>& stopped,
                       const Points& x, const Points& displacement, double stiffness,
                       std::vector<ContactRow>& rows) {
  for (const auto& [p, step] : stopped) {
    const ContactPair& pair = pairs[p];
    const Barrier barrier = barrier_of(pair, stiffness);
    const Quad corners = gather(x, pair.vertices);
    const Closest here = closest_of(pair, corners);
    if (here.distance < pair.radius) {
      const double d = here.distance, near = kNearer * d;
      const double secant = (barrier.slope(d) - barrier.slope(near)) / (d - near);
      const double tangent = barrier.curvature(std::max(d, kStiffest * pair.radius));
      rows.push_back({pair.vertices, here.weight, here.normal, 0, std::max(0.0, secant - tangent)});
    } else {
      const Closest there = closest_of(pair, corners + step * gather(displacement, pair.vertices));
      const double gap = there.normal.dot(corners * there.weight) - pair.inset, k = kFirm * barrier.stiffness;
      rows.push_back({pair.vertices, there.weight, there.normal, k * (gap - pair.radius), k});
    }
  }
}

void append_turns_ahead(const std::vector<ContactPair>& pairs, const std::vector<StoppedPair>& stopped,
                        const Points& x, double stiffness, std::vector<ContactTurn>& turns) {
  for (const auto& [p, step] : stopped) {
    const ContactPair& pair = pairs[p];
    const Quad corners = gather(x, pair.vertices);
    const Closest here = closest_points(pair.kind, corners);
    const double d = here.distance - pair.inset;
    if (d >= pair.radius) continue;
    const double force = -barrier_of(pair, stiffness).slope(kNearer * d);
    for (const Quad& turn : distance_turns(here, corners))
      turns.push_back({pair.vertices, std::sqrt(force) * turn});
  }
}

Mat12 contact_hessian(const ContactPair& pair, const Quad& x, double stiffness) {
  const Closest closest = closest_points(pair.kind, x);
  const double distance = closest.distance - pair.inset;
  if (distance >= pair.radius) return Mat12::Zero();
  const Barrier barrier = barrier_of(pair, stiffness);
  const Vec12 gradient = distance_gradient(closest);
  return barrier.curvature(distance) * gradient * gradient.transpose() +
         barrier.slope(distance) * distance_hessian(closest, x);
}

double least_distance(const std::vector<ContactPair>& pairs, const Points& x) {
  return parallel_min(static_cast<int>(pairs.size()), std::numeric_limits<double>::infinity(),
                      [&](int p) { return closest_of(pairs[p], gather(x, pairs[p].vertices)).distance; });
}

}  // namespace muslin

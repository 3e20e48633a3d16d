#include "muslin/contact/pair_energy.h"

#include <algorithm>
#include <limits>

#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"

namespace muslin {

namespace {
constexpr double kNearer = 0.2;  // of a distance, that a pair shall keep in a step
constexpr double kFirm = 2;      // times the stiffness of contact: what holds up that which is met on the way
}  // namespace

std::vector<ActivePair> active_pairs(const std::vector<ContactPair>& pairs, const Points& x) {
  return parallel_collect<ActivePair>(static_cast<int>(pairs.size()), [&](int p, auto& active) {
    const Quad corners = gather(x, pairs[p].vertices);
    if (box_gap(pairs[p].kind, corners) >= pairs[p].radius) return;
    const Closest closest = closest_points(pairs[p].kind, corners);
    if (closest.distance < pairs[p].radius) active.push_back({p, closest});
  });
}

double contact_value(const std::vector<ContactPair>& pairs, const Points& x, double stiffness) {
  return parallel_sum(static_cast<int>(pairs.size()), 0.0, [&](int p) {
    const ContactPair& pair = pairs[p];
    const Quad corners = gather(x, pair.vertices);
    if (box_gap(pair.kind, corners) >= pair.radius) return 0.0;
    return barrier_of(pair, stiffness).value(closest_points(pair.kind, corners).distance);
  });
}

void append_contact_rows(const std::vector<ContactPair>& pairs, const std::vector<ActivePair>& active,
                         double stiffness, std::vector<ContactRow>& rows) {
  rows.reserve(rows.size() + active.size());
  for (const auto& [p, closest] : active) {
    const Barrier barrier = barrier_of(pairs[p], stiffness);
    rows.push_back({pairs[p].vertices, closest.weight, closest.normal, barrier.slope(closest.distance),
                    barrier.curvature(closest.distance)});
  }
}

void append_rows_ahead(const std::vector<ContactPair>& pairs, const std::vector<double>& steps,
                       const Points& x, const Points& displacement, double stiffness,
                       std::vector<ContactRow>& rows) {
  for (size_t p = 0; p < pairs.size(); ++p) {
    if (steps[p] == 1) continue;
    const auto& [kind, vertices, radius, share, friction] = pairs[p];
    const Barrier barrier = barrier_of(pairs[p], stiffness);
    const Quad corners = gather(x, vertices);
    const Closest here = closest_points(kind, corners);
    if (here.distance < radius) {
      const double d = here.distance, near = kNearer * d;
      const double secant = (barrier.slope(d) - barrier.slope(near)) / (d - near);
      rows.push_back({vertices, here.weight, here.normal, 0, secant - barrier.curvature(d)});
    } else {
      const Closest there = closest_points(kind, corners + steps[p] * gather(displacement, vertices));
      const double gap = there.normal.dot(corners * there.weight), k = kFirm * barrier.stiffness;
      rows.push_back({vertices, there.weight, there.normal, k * (gap - radius), k});
    }
  }
}

Mat12 contact_hessian(const ContactPair& pair, const Quad& x, double stiffness) {
  const Closest closest = closest_points(pair.kind, x);
  if (closest.distance >= pair.radius) return Mat12::Zero();
  const Barrier barrier = barrier_of(pair, stiffness);
  const Vec12 gradient = distance_gradient(closest);
  return barrier.curvature(closest.distance) * gradient * gradient.transpose() +
         barrier.slope(closest.distance) * distance_hessian(closest, x);
}

double least_distance(const std::vector<ContactPair>& pairs, const Points& x) {
  return parallel_min(static_cast<int>(pairs.size()), std::numeric_limits<double>::infinity(), [&](int p) {
    return closest_points(pairs[p].kind, gather(x, pairs[p].vertices)).distance;
  });
}

}  // namespace muslin

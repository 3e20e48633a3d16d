#include "muslin/contact/pairs/pair_contact.h"

#include <algorithm>

#include "muslin/contact/pairs/pair_energy.h"
#include "muslin/core/disjoint_sets.h"
#include "muslin/core/parallel.h"
#include "muslin/energy/energy.h"
#include "muslin/model/measure.h"

namespace muslin {

namespace {
// How far cloth may go before pairs are looked for again, over the mean edge, whatever the thickness: lists
// hold all that is nearer than the radius of a pair and twice as much, and from a quarter of an edge on
// almost every neighbour is in them (drape, 9 mm thick: 0.2 takes a quarter more time an iteration; 30 mm
// thick: three times as much at 0.6). A quarter more or less changes nothing beyond where steps happen to
// end.
constexpr double kSlackOfEdge = 0.08;
// Of a way, over the mean edge, what pairs are looked for at most, beside the common motion of cloth. Where
// cloth is crushed, directions of a kilometre occur, and of all that is along them nothing counts but the
// first millimetres. A quarter of it: the torture scenes keep their bits.
constexpr double kLongestWayOfEdge = 32;
}  // namespace

PairContact::PairContact(const Model& model, const Controls& controls)
    : scene_(model, controls), candidates_(scene_.surfaces()), bounds_(scene_.cloth_count()) {
  const Surfaces& surfaces = scene_.surfaces();
  const Scalars& half = surfaces.half_thickness;
  const auto of_cloth = half.head(scene_.cloth_count());
  const double cloth = of_cloth.maxCoeff();
  stiffness_ = contact_stiffness(model, 2 * of_cloth.minCoeff());
  const int bodies = surfaces.vertex_count() - scene_.cloth_count();
  const double edge = mean_edge(model);
  slack_ = kSlackOfEdge * edge;
  longest_way_ = kLongestWayOfEdge * edge;
  thickness_ = cloth + std::max(cloth, bodies > 0 ? half.tail(bodies).maxCoeff() : 0);
}

void PairContact::begin(const Points& x, const Points& displacement, double h,
                        const std::vector<ElasticSlip>& slips, double struck) {
  candidates_.set_moved(displacement);
  candidates_.detect(x, looked_along(displacement), slack_);
  watch_listed();
  // The impulse of an impact is what friction has to act by, whatever the lengths of the steps
  const double stiffness = struck > 0 ? struck / h * stiffness_ : stiffness_;
  friction_ =
      LaggedFriction(candidates_.pairs(), active_at(x), x, stiffness, LaggedFriction::kSpeed * h, slips);
}

void PairContact::detect(const Points& x, const Points& displacement) {
  candidates_.detect_again(x, looked_along(displacement), slack_);
  watch_listed();
}

Points PairContact::looked_along(const Points& displacement) const {
  return candidates_.fraction_within(displacement, longest_way_) * displacement;
}

void PairContact::watch_listed() {
  ++detections_;
  bounds_.watch(candidates_.pairs());
}

double PairContact::step_before_contact(const Points& x, const Points& displacement) const {
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  const std::vector<int> stopping = bounds_.stopping(pairs, x, displacement);
  return parallel_min(static_cast<int>(stopping.size()), 1, [&](int k) {
    return muslin::step_before_contact(pairs[stopping[k]], x, displacement);
  });
}

double PairContact::safe_step(const Points& x, const Points& displacement) const {
  const double held = candidates_.holds_along(x, displacement);
  return held > 0 ? held * step_before_contact(x, held * displacement) : 0;
}

std::vector<double> PairContact::safe_steps(const Points& x, const Points& displacement,
                                            const std::vector<int>& piece, int pieces) const {
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  // 1. Pieces that are near each other go as far as each other
  DisjointSets near(pieces);
  const auto sides = [&](const ContactPair& pair) {
    return Stencil<2>{piece[pair.vertices[0]], piece[pair.vertices[3]]};
  };
  for (const ContactPair& pair : pairs)
    if (const auto [a, b] = sides(pair); a >= 0 && b >= 0) near.unite(a, b);
  // 2. What stops any of them stops all of them
  std::vector<double> safe(pieces, 1);
  for (const int p : bounds_.stopping(pairs, x, displacement)) {
    const double step = muslin::step_before_contact(pairs[p], x, displacement);
    for (const int side : sides(pairs[p]))
      if (side >= 0) safe[near.least_of(side)] = std::min(safe[near.least_of(side)], step);
  }
  for (int p = 0; p < pieces; ++p) safe[p] = safe[near.least_of(p)];
  return safe;
}

bool PairContact::is_clear(const Points& x, const Points& displacement) {
  if (!friction_.empty()) return false;
  if (candidates_.holds_along(x, displacement) < 1) detect(x, displacement);
  return safe_step(x, displacement) == 1 && active_at(x + displacement).empty();
}

double PairContact::relative_motion(const Points& x, const Points& displacement) const {
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  return parallel_reduce(
      static_cast<int>(pairs.size()), 0.0,
      [&](int p) {
        const ContactPair& pair = pairs[p];
        const Closest closest = closest_of(pair, gather(x, pair.vertices));
        const Vec3 motion = meeting_of(pair, closest, x).between(displacement);
        const bool meet = closest.distance + std::min(0.0, motion.dot(closest.normal)) < pair.radius;
        return meet ? motion.norm() / pair.radius : 0.0;
      },
      [](double& most, double motion) { most = std::max(most, motion); }, kGrain);
}

// What a displacement adds to the distance of a pair, over that distance; nothing unless that is less than a
// fraction of its radius.
std::optional<double> PairContact::change(const ActivePair& active, const Points& displacement,
                                          double fraction) const {
  const auto& [p, closest] = active;
  const ContactPair& pair = candidates_.pairs()[p];
  if (closest.distance >= fraction * pair.radius) return {};
  return closest.normal.dot(gather(displacement, pair.vertices) * closest.weight) / closest.distance;
}

std::vector<Stencil<4>> PairContact::approaching(const Points& x, const Points& displacement, double fraction,
                                                 double part) const {
  std::vector<Stencil<4>> near;
  for (const ActivePair& active : active_at(x)) {
    const std::optional<double> by = change(active, displacement, fraction);
    if (by && *by < -part) near.push_back(candidates_.pairs()[active.pair].vertices);
  }
  return near;
}

void PairContact::mark_touched(const Points& x, std::vector<char>& touched) const {
  for (const ActivePair& active : active_at(x))
    for (const int v : candidates_.pairs()[active.pair].vertices)
      if (v < scene_.cloth_count()) touched[v] = 1;
}

double PairContact::least_ratio(const Points& x) const {
  double least = 1;
  for (const auto& [p, closest] : active_at(x))
    least = std::min(least, closest.distance / candidates_.pairs()[p].radius);
  return least;
}

double PairContact::largest_change(const Points& x, const Points& displacement, double fraction) const {
  double largest = 0;
  for (const ActivePair& active : active_at(x))
    largest = std::max(largest, std::abs(change(active, displacement, fraction).value_or(0)));
  return largest;
}

bool PairContact::is_struck(const Points& x) const {
  // Between what cloth does that lies or slides, whose forces change by a few per cent a step, and an impact,
  // whose forces grow from nothing to many times the weight. Nothing depends on where between: 1.2 or 3,
  // drape and fold keep their bits.
  constexpr double kStruck = 1.5;
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  const LaggedFriction at_end(pairs, active_at(x), x, stiffness_, /*eps=*/1);
  return at_end.most() > kStruck * friction_.most();
}

double PairContact::value(const Points& x) const {
  return contact_value(candidates_.pairs(), active_at(x), stiffness_) + friction_.value(x);
}

ContactRows PairContact::rows(const Points& x, const Points* moved, int& active) const {
  const std::vector<ActivePair>& touching = active_at(x);
  active = static_cast<int>(touching.size());
  std::vector<ContactRow> rows;
  append_contact_rows(candidates_.pairs(), touching, stiffness_, rows);
  friction_.append_rows(x, moved, rows);
  return ContactRows(scene_.surfaces().vertex_count(), std::move(rows));
}

ContactRows PairContact::rows_ahead(const Points& x, const Points& displacement, bool turn) const {
  const std::vector<ContactPair>& pairs = candidates_.pairs();
  const std::vector<int> stopping = bounds_.stopping(pairs, x, displacement);
  const std::vector<StoppedPair> stopped =
      parallel_collect<StoppedPair>(static_cast<int>(stopping.size()), [&](int k, auto& found) {
        const double step = muslin::step_before_contact(pairs[stopping[k]], x, displacement);
        if (step < 1) found.push_back({stopping[k], step});
      });
  std::vector<ContactRow> rows;
  append_rows_ahead(pairs, stopped, x, displacement, stiffness_, rows);
  std::vector<ContactTurn> turns;
  if (turn) append_turns_ahead(pairs, stopped, x, stiffness_, turns);
  return ContactRows(scene_.surfaces().vertex_count(), std::move(rows), std::move(turns));
}

}  // namespace muslin

#include "muslin/hands.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "muslin/core/revision.h"
#include "muslin/model/fastening.h"

namespace muslin {

namespace {

const ClothRange& cloth_of(const Model& model, int vertex) {
  const auto holds = [&](const ClothRange& cloth) {
    return vertex < cloth.first_vertex + cloth.vertex_count;
  };
  return *std::find_if(model.cloths.begin(), model.cloths.end(), holds);
}

double extent(const Points& points) {
  return (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
}

}  // namespace

// Pins of another scene that take later take anew.
void Hands::take(const Model& model, const Solver& solver, double frame_time, Controls& controls) {
  std::erase_if(grasp_.taken, [](const Taken& taken) { return taken.motion >= 0; });
  set_pins(model, controls);
  tune(solver, frame_time, model, controls);
}

void Hands::drop(const Model& model, Controls& controls) {
  grasp_.held.clear();
  grasp_.let_go.clear();
  grasp_.taken.clear();
  grasp_.pull.reset();
  time_ = 0;
  controls = model.script;
  grasp_.wanted = controls.collider_offset;
}

void Hands::restore(Grasp grasp, double time, const Model& model, Controls& controls) {
  controls = model.script;
  grasp_ = std::move(grasp);
  time_ = time;
  set_pins(model, controls);
  set_pulls(model, controls);
}

// --- pins ------------------------------------------------------------------------------------------

void Hands::hold(int vertex, const Vec3& place, const Model& model, Controls& controls) {
  forget_taken(vertex);
  grasp_.held[vertex] = place;
  set_pins(model, controls);
}

void Hands::move(int vertex, const Vec3& place, Controls& controls) {
  grasp_.held[vertex] = place;
  for (PinnedVertex& pin : controls.pins)
    if (pin.vertex == vertex) pin.place = place;
}

void Hands::let_go(int vertex, const Model& model, Controls& controls) {
  grasp_.held.erase(vertex);
  forget_taken(vertex);
  const auto is_here = [&](const PinnedVertex& pin) { return pin.vertex == vertex; };
  for (const auto* pins : {&model.script.pins, &model.script.pulled, &model.late_pins})
    if (std::any_of(pins->begin(), pins->end(), is_here)) grasp_.let_go.insert(vertex);
  set_pins(model, controls);
}

void Hands::attach(const std::vector<int>& vertices, int collider, double time, const Points& positions,
                   const Model& model, Controls& controls) {
  const Fastener fastener(model.colliders[collider], collider,
                          poses_at(model.colliders, time, controls.collider_offset)[collider], time);
  for (const int v : vertices) {
    grasp_.held.erase(v);
    forget_taken(v);
    const Vec3 place = positions.col(v);
    grasp_.taken.push_back({/*motion=*/-1, v, Vec3::Ones(), place, fastener.fasten(place)});
  }
  std::sort(grasp_.taken.begin(), grasp_.taken.end());
  set_pins(model, controls);
}

void Hands::forget_taken(int vertex) {
  std::erase_if(grasp_.taken, [&](const Taken& taken) { return taken.vertex == vertex; });
}

bool Hands::acts(int motion, const Model& model) const {
  return motion < 0 || model.script.pin_motions[motion].acts_at(time_);
}

bool Hands::keep_time(double time, const Points& positions, const Model& model, Controls& controls) {
  const std::vector<PinMotion>& motions = model.script.pin_motions;
  std::vector<char> acted;
  for (int m = 0; m < std::ssize(motions); ++m) acted.push_back(acts(m, model));
  time_ = time;
  bool is_other = false;
  for (int m = 0; m < std::ssize(motions); ++m) {
    is_other = is_other || acts(m, model) != static_cast<bool>(acted[m]);
    const auto is_of_it = [&](const Taken& taken) { return taken.motion == m; };
    const bool is_taken = std::any_of(grasp_.taken.begin(), grasp_.taken.end(), is_of_it);
    if (!acts(m, model)) std::erase_if(grasp_.taken, is_of_it);
    if (motions[m].since > 0 && acts(m, model) && !is_taken)
      is_other = take_late(m, positions, model, controls) || is_other;
  }
  if (!is_other) return false;
  std::sort(grasp_.taken.begin(), grasp_.taken.end());
  set_pins(model, controls);
  return true;
}

// The vertices of a pin whose time has come; whether there are any.
bool Hands::take_late(int motion, const Points& positions, const Model& model, const Controls& controls) {
  const PinMotion& by = model.script.pin_motions[motion];
  std::optional<Fastener> fastener;
  if (by.follows >= 0)
    fastener.emplace(model.colliders[by.follows], by.follows,
                     poses_at(model.colliders, time_, controls.collider_offset)[by.follows], time_);
  bool any = false;
  for (const PinnedVertex& pin : model.late_pins) {
    if (pin.motion != motion || grasp_.let_go.contains(pin.vertex)) continue;
    const Vec3 place = positions.col(pin.vertex);
    grasp_.taken.push_back(
        {motion, pin.vertex, pin.fixed, place_at_start(by.motion, by.center, place, time_), {}});
    if (fastener) grasp_.taken.back().fastening = fastener->fasten(place);
    any = true;
  }
  return any;
}

// The scene's pins that act now, but for vertices that hands hold or let go; then what hands hold. What a
// pin of the scene took later is a pin of the scene, too.
void Hands::set_pins(const Model& model, Controls& controls) const {
  std::set<int> by_hand = grasp_.let_go;
  for (const auto& [vertex, place] : grasp_.held) by_hand.insert(vertex);
  for (const Taken& taken : grasp_.taken)
    if (taken.motion < 0) by_hand.insert(taken.vertex);
  const auto acting = [&](const std::vector<PinnedVertex>& all) {
    std::vector<PinnedVertex> some;
    for (const PinnedVertex& pin : all)
      if (!by_hand.contains(pin.vertex) && acts(pin.motion, model)) some.push_back(pin);
    return some;
  };
  std::vector<PinnedVertex> pins = acting(model.script.pins);
  controls.pulled = acting(model.script.pulled);
  controls.pin_motions = model.script.pin_motions;
  controls.fastenings = model.script.fastenings;
  const int still = static_cast<int>(controls.pin_motions.size());
  const auto is_by_hand = [](const Taken& taken) { return taken.motion < 0; };
  if (!grasp_.held.empty() || std::any_of(grasp_.taken.begin(), grasp_.taken.end(), is_by_hand))
    controls.pin_motions.push_back({});
  for (const auto& [motion, vertex, fixed, place, fastening] : grasp_.taken) {
    PinnedVertex pin{vertex, fixed, place, motion < 0 ? still : motion};
    if (motion >= 0 && (by_hand.contains(vertex) || !acts(motion, model))) continue;
    if (fastening) {
      pin.fastening = static_cast<int>(controls.fastenings.size());
      controls.fastenings.push_back(*fastening);
    }
    (controls.pin_motions[pin.motion].strength ? controls.pulled : pins).push_back(pin);
  }
  for (const auto& [vertex, place] : grasp_.held) pins.push_back({vertex, Vec3::Ones(), place, still});
  controls.set_pins(std::move(pins), model.mass);
  const auto is_spring = [](const PinMotion& by) { return by.strength.has_value(); };
  if (std::any_of(controls.pin_motions.begin(), controls.pin_motions.end(), is_spring))
    set_pulls(model, controls);
}

// --- pull ------------------------------------------------------------------------------------------

namespace {

constexpr double kStretch = 0.02;       // of the cloth's size, when it hangs on the pull
constexpr double kMostWeights = 3;      // that a pull may amount to
constexpr double kFingers = 0.03;       // radius of what they grip, of the cloth's size
constexpr double kLeastGravity = 9.81;  // [m/s²]

}  // namespace

bool Hands::pull(int vertex, const Vec3& place, const Points& positions, const Solver& solver,
                 double frame_time, const Model& model, Controls& controls) {
  if (grasp_.pull && grasp_.pull->vertex == vertex) {
    grasp_.pull->place = place;
    return false;
  }
  const ClothRange& cloth = cloth_of(model, vertex);
  const double radius = kFingers * extent(model.start.middleCols(cloth.first_vertex, cloth.vertex_count));
  grasp_.pull = Pull{vertex, place, 0, 0, 0, {}};
  double sum = 0;
  for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v) {
    const double near = 1 - (model.start.col(v) - model.start.col(vertex)).norm() / radius;
    if (!(near > 0)) continue;
    grasp_.pull->grips.push_back({v, positions.col(v) - positions.col(vertex), near * model.mass[v]});
    sum += grasp_.pull->grips.back().fraction;
  }
  for (Grip& grip : grasp_.pull->grips) grip.fraction /= sum;
  tune(solver, frame_time, model, controls);
  return true;
}

// The spring carries its piece of cloth with a stretch of 2 % of the cloth's size. It damps half as much as
// would keep the whole piece from bouncing on it, but no more than an explicit method can do without shorter
// steps; the vertex alone does not swing about its place.
void Hands::tune(const Solver& solver, double frame_time, const Model& model, Controls& controls) {
  set_pulls(model, controls);
  if (!grasp_.pull) return;
  const ClothRange& cloth = cloth_of(model, grasp_.pull->vertex);
  const double mass = model.mass.segment(cloth.first_vertex, cloth.vertex_count).sum();
  const double size = extent(model.start.middleCols(cloth.first_vertex, cloth.vertex_count));
  const double weight = mass * std::max(controls.gravity.norm(), kLeastGravity);
  grasp_.pull->stiffness = weight / (kStretch * size);
  grasp_.pull->reach = kMostWeights * kStretch * size;
  const auto middle = std::find_if(grasp_.pull->grips.begin(), grasp_.pull->grips.end(),
                                   [&](const Grip& grip) { return grip.vertex == grasp_.pull->vertex; });
  const double least =
      2 * std::sqrt(model.mass[middle->vertex] / (middle->fraction * grasp_.pull->stiffness));

  const auto substeps_with = [&](double damping) {
    grasp_.pull->damping = damping;
    set_pulls(model, controls);
    return solver.substeps(model, controls, frame_time);
  };
  const int fewest = substeps_with(least);
  double damping = std::sqrt(mass / grasp_.pull->stiffness);
  while (damping > least && substeps_with(damping) > fewest) damping /= 2;
  if (damping <= least) substeps_with(least);
}

void Hands::release(const Model& model, Controls& controls) {
  grasp_.pull.reset();
  set_pulls(model, controls);
}

void Hands::set_pulls(const Model& model, Controls& controls) const {
  controls.set_springs(model.vertex_count());
  AnchorEnergy& pulls = controls.pulls;
  for (const Grip& grip : grasp_.pull ? grasp_.pull->grips : std::vector<Grip>())
    pulls.add({grip.vertex}, grasp_.pull->damping, {}, grip.fraction * grasp_.pull->stiffness,
              grasp_.pull->place + grip.offset);
  pulls.connect(model.vertex_count());
  controls.revision = next_revision();
}

void Hands::reach(const Points& positions, Controls& controls) {
  moved_.clear();
  for (size_t p = 0; p < controls.pins.size(); ++p) {
    const PinnedVertex& pin = controls.pins[p];
    if (holds(pin.vertex) && positions.col(pin.vertex) != pin.place)
      moved_.push_back({static_cast<int>(p), positions.col(pin.vertex)});
  }
  if (!grasp_.pull) return;
  const Vec3 from = positions.col(grasp_.pull->vertex), way = grasp_.pull->place - from;
  const double fraction = way.norm() > grasp_.pull->reach ? grasp_.pull->reach / way.norm() : 1;
  const Vec3 place = fraction < 1 ? Vec3(from + fraction * way) : grasp_.pull->place;
  for (size_t k = 0; k < grasp_.pull->grips.size(); ++k)
    controls.pulls.rest[controls.pulled.size() + k] = place + grasp_.pull->grips[k].offset;
}

// --- within a frame --------------------------------------------------------------------------------

void Hands::glide(double from, double to, Input& input) const {
  for (const auto& [pin, start] : moved_)  // at the end they are at their places to the bit
    if (to < 1) input.pin_targets.col(pin) = start + to * (input.pin_targets.col(pin) - start);
  bool carries = false;
  for (size_t c = 0; c < grasp_.wanted.size(); ++c) {
    const Vec3& offset = input.controls->collider_offset[c];
    if (grasp_.wanted[c] == offset) continue;
    carries = true;
    const Vec3 way = grasp_.wanted[c] - offset;
    input.collider_start[c].translation += from * way;
    input.collider_end[c].translation += to * way;
  }
  if (carries) aim_fastened(input);
}

}  // namespace muslin

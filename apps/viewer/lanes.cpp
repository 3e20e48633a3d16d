#include "lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "muslin/compare/common_step.h"
#include "muslin/core/check.h"
#include "muslin/model/same_fields.h"
#include "muslin/model/same_geometry.h"
#include "muslin/solver/methods.h"
#include "room.h"

using namespace muslin;

namespace {

/// The scene as a method of a comparison runs it; `model` is any of the scene.
Scene scene_for(const std::string& method, const Scene& scene, const Model* model) {
  return method.empty() ? scene : scene_in_comparison(method, scene, *model);
}

std::string label_of(const std::string& method, const Scene& scene) {
  if (method == kReference) return "Reference";
  return method.empty() ? scene.solver.family : std::string(find_method(method).label);
}

/// Whether the cloth of the second scene begins otherwise than that of the first.
bool begins_otherwise(const Scene& a, const Scene& b) {
  if (a.cloths.size() != b.cloths.size() || a.colliders.size() != b.colliders.size()) return true;
  for (size_t c = 0; c < a.cloths.size(); ++c) {
    const Cloth &x = a.cloths[c], &y = b.cloths[c];
    if (!same(x.grid, y.grid) || !same(x.mesh, y.mesh) || !same(x.velocity, y.velocity)) return true;
    if (x.mesh && !same_geometry(*x.mesh, *y.mesh)) return true;
  }
  return false;
}

/// Throws if a solver that lets nothing through finds cloth where it has no room.
void refuse_intersections(const Simulation& simulation) {
  if (!keeps_out(simulation.scene().solver)) return;
  if (const std::string words = no_room(simulation); !words.empty()) throw Error(ErrorKind::invalid, words);
}

/// Whether an edit can take away the room that cloth has for a solver that lets nothing through.
bool may_take_room(const Scene& from, const Scene& to) {
  return !keeps_out(from.solver) || (to.self_collision.enabled && !from.self_collision.enabled) ||
         !same_geometry(from.colliders, to.colliders);
}

/// The vertices that pins of a scene hold in all directions, by their numbers in the scene.
std::set<int> pinned_by(const Scene& scene) {
  const Model model = build_model(scene);
  std::set<int> vertices;
  for (const PinnedVertex& pin : model.script.pins)
    if (pin.fixed == Vec3::Ones()) vertices.insert(model.vertex_numbers.to_user(pin.vertex));
  return vertices;
}

}  // namespace

bool same_pins(const Scene& a, const Scene& b) {
  return std::equal(a.cloths.begin(), a.cloths.end(), b.cloths.begin(), b.cloths.end(),
                    [](const Cloth& x, const Cloth& y) { return same(x.pins, y.pins); });
}

Lanes::Lane Lanes::start(const std::string& method, const Scene& scene, const Model* model) {
  Lane lane;
  lane.method = method;
  lane.label = label_of(method, scene);
  lane.simulation = std::make_unique<Simulation>(scene_for(method, scene, model));
  refuse_intersections(*lane.simulation);
  lane.copy_controls();
  lane.report = lane.simulation->report();
  return lane;
}

Lanes::Lane Lanes::edited(const Lane& lane, const Scene& scene, const Model* model) {
  const char* const kStopped = "stopped before the last edit; reset tries it again";
  if (!lane.simulation) return {lane.method, lane.label, kStopped, nullptr, nullptr, {}};
  Lane next;
  next.method = lane.method;
  next.label = label_of(lane.method, scene);
  next.simulation =
      std::make_unique<Simulation>(lane.simulation->edited(scene_for(lane.method, scene, model)));
  next.copy_controls();
  next.report = lane.report;
  return next;
}

void Lanes::load(const Scene& scene, const std::vector<std::string>& methods) {
  std::vector<Lane> lanes;
  if (methods.empty()) {
    lanes.push_back(start("", scene, nullptr));
  } else {
    const Model model = build_model(scene);
    for (const std::string& method : methods) try {
        lanes.push_back(start(method, scene, &model));
      } catch (const Error& error) {
        lanes.push_back({method, label_of(method, scene), error.what(), nullptr, nullptr, {}});
      }
    lanes.push_back(start(std::string(kReference), scene, &model));
  }
  lanes_ = std::move(lanes);
  scene_ = scene;
  methods_ = methods;
  held_.clear();
  carried_.assign(scene.colliders.size(), Vec3::Zero());
  frame_ = 0;
  edited_ = false;
}

void Lanes::edit(const Scene& scene) {
  if (lanes_.empty() || begins_otherwise(scene_, scene)) return load(scene, methods_);

  // 1. Every lane as it would go on
  std::optional<Model> model;
  if (!methods_.empty()) model = build_model(scene);
  std::vector<Lane> next;
  for (const Lane& lane : lanes_) try {
      next.push_back(edited(lane, scene, model ? &*model : nullptr));
    } catch (const Error& error) {
      if (lane.method.empty() || lane.method == kReference) throw;
      next.push_back({lane.method, label_of(lane.method, scene), error.what(), nullptr, nullptr, {}});
    }

  if (!same_pins(scene_, scene)) pin_in_place(pinned_by(scene_), pinned_by(scene), next);

  // 2. All of them, or none
  for (size_t i = 0; i < lanes_.size(); ++i)
    if (next[i].simulation && may_take_room(lanes_[i].simulation->scene(), next[i].simulation->scene()))
      refuse_intersections(*next[i].simulation);
  lanes_ = std::move(next);
  scene_ = scene;
  edited_ = true;
}

// What an edit pins stays where it is until the next reset; what it unpins is free.
void Lanes::pin_in_place(const std::set<int>& before, const std::set<int>& after, std::vector<Lane>& lanes) {
  for (Lane& lane : lanes) {
    if (!lane.simulation) continue;
    for (const int vertex : after)
      if (!before.count(vertex)) lane.simulation->hold(vertex);
    for (const int vertex : before)
      if (!after.count(vertex)) lane.simulation->let_go(vertex);
    lane.copy_controls();
  }
}

bool Lanes::step() {
  bool any = false;
  for (Lane& lane : lanes_) {
    if (!lane.failure.empty()) continue;
    lane.report = lane.simulation->step();
    if (carries_) lane.copy_controls();  // which says where colliders are
    if (lane.report.step.status == Status::diverged)
      lane.failure = fmt::format("diverged in frame {}", lane.report.frame);
    else
      any = true;
  }
  carries_ = false;
  if (!lanes_.empty()) ++frame_;
  return any;
}

void Lanes::reset() {
  if (edited_) return load(scene_, methods_);
  for (Lane& lane : lanes_) {
    if (!lane.simulation) continue;
    lane.simulation->reset();
    lane.report = lane.simulation->report();
    lane.failure.clear();
    lane.copy_controls();
  }
  held_.clear();
  carried_.assign(scene_.colliders.size(), Vec3::Zero());
  frame_ = 0;
}

template <class Action>
void Lanes::each(const Action& action) {
  for (Lane& lane : lanes_)
    if (lane.simulation) action(lane);
}

void Lanes::hold(int vertex) {
  each([&](Lane& lane) {
    lane.simulation->hold(vertex);
    lane.copy_controls();
  });
  if (std::find(held_.begin(), held_.end(), vertex) == held_.end()) held_.push_back(vertex);
}

void Lanes::let_go(int vertex) {
  each([&](Lane& lane) {
    lane.simulation->let_go(vertex);
    lane.copy_controls();
  });
  held_.erase(std::remove(held_.begin(), held_.end(), vertex), held_.end());
}

void Lanes::pull(int vertex, const Vec3& place) {
  each([&](Lane& lane) { lane.simulation->pull(vertex, place); });
}

void Lanes::release() {
  each([](Lane& lane) { lane.simulation->release(); });
}

void Lanes::carry(int collider, const Vec3& offset) {
  each([&](Lane& lane) { lane.simulation->carry(collider, offset); });
  carried_.at(collider) = offset;
  carries_ = true;
}

std::vector<LaneSnapshot> Lanes::snapshots() const {
  std::vector<LaneSnapshot> snapshots;
  for (const Lane& lane : lanes_) {
    LaneSnapshot snapshot{lane.label, lane.failure,  "", lane.method == kReference,
                          nullptr,    lane.controls, {}, lane.report};
    if (lane.simulation) {
      snapshot.model = lane.simulation->shared_model();
      snapshot.state = lane.simulation->state();
      snapshot.limits = lane.simulation->limits();
    }
    snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

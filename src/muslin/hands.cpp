#include "muslin/hands.h"

#include <algorithm>
#include <cmath>

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

void Hands::take(Model& model, const Solver& solver, double frame_time) {
  scene_pins_ = model.pins;
  scene_motions_ = model.pin_motions.size();
  scene_centers_.clear();
  for (const Collider& collider : model.colliders) scene_centers_.push_back(collider.center);
  offset_.resize(scene_centers_.size(), Vec3::Zero());
  wanted_.resize(scene_centers_.size(), Vec3::Zero());
  set_colliders(model);
  set_pins(model);
  set_anchor(model);
  if (pull_) tie(pull_->vertex, pull_->place, solver, frame_time, model);
}

void Hands::drop(Model& model) {
  held_.clear();
  let_go_.clear();
  pull_.reset();
  offset_.assign(offset_.size(), Vec3::Zero());
  wanted_ = offset_;
  set_colliders(model);
  set_pins(model);
  set_anchor(model);
}

// --- pins ------------------------------------------------------------------------------------------

void Hands::hold(int vertex, const Vec3& place, Model& model) {
  held_[vertex] = place;
  set_pins(model);
}

void Hands::let_go(int vertex, Model& model) {
  held_.erase(vertex);
  const auto is_here = [&](const PinnedVertex& pin) { return pin.vertex == vertex; };
  if (std::any_of(scene_pins_.begin(), scene_pins_.end(), is_here)) let_go_.insert(vertex);
  set_pins(model);
}

// The scene's pins, but for vertices that hands hold or let go; then what hands hold.
void Hands::set_pins(Model& model) const {
  model.pins.clear();
  for (const PinnedVertex& pin : scene_pins_)
    if (!held_.count(pin.vertex) && !let_go_.count(pin.vertex)) model.pins.push_back(pin);
  model.pin_motions.resize(scene_motions_);
  if (!held_.empty()) model.pin_motions.push_back({});
  const int still = static_cast<int>(scene_motions_);
  for (const auto& [vertex, place] : held_) model.pins.push_back({vertex, Vec3::Ones(), place, still});
  model.free.setOnes();
  for (const PinnedVertex& pin : model.pins)
    model.free.col(pin.vertex) = model.free.col(pin.vertex).cwiseProduct(Vec3::Ones() - pin.fixed);
  model.inverse_mass = model.free * model.mass.cwiseInverse().asDiagonal();
}

// --- pull ------------------------------------------------------------------------------------------

bool Hands::pull(int vertex, const Vec3& place, const Solver& solver, double frame_time, Model& model) {
  if (!pull_ || pull_->vertex != vertex) {
    tie(vertex, place, solver, frame_time, model);
    return true;
  }
  pull_->place = model.energies.anchors.place[0] = place;
  return false;
}

// The spring carries its piece of cloth with a stretch of 2 % of the cloth's size. It damps half as much as
// would keep the whole piece from bouncing on it, but no more than an explicit method can do without shorter
// steps; the vertex alone never swings about the place.
void Hands::tie(int vertex, const Vec3& place, const Solver& solver, double frame_time, Model& model) {
  constexpr double kStretch = 0.02;       // of the cloth's size
  constexpr double kLeastGravity = 9.81;  // [m/s²]
  const ClothRange& cloth = cloth_of(model, vertex);
  const double mass = model.mass.segment(cloth.first_vertex, cloth.vertex_count).sum();
  const double size = extent(model.start.middleCols(cloth.first_vertex, cloth.vertex_count));
  const double stiffness = mass * std::max(model.gravity.norm(), kLeastGravity) / (kStretch * size);
  const double least = 2 * std::sqrt(model.mass[vertex] / stiffness);  // critical for the vertex
  const auto substeps_with = [&](double damping) {
    pull_ = {vertex, place, stiffness, damping};
    set_anchor(model);
    return solver.substeps(model, frame_time);
  };
  const int fewest = substeps_with(least);
  double damping = std::sqrt(mass / stiffness);
  while (damping > least && substeps_with(damping) > fewest) damping /= 2;
  if (damping <= least) substeps_with(least);
}

void Hands::release(Model& model) {
  pull_.reset();
  set_anchor(model);
}

void Hands::set_anchor(Model& model) const {
  AnchorEnergy& anchors = model.energies.anchors;
  anchors = {};
  if (pull_) {
    anchors.vertices = {{pull_->vertex}};
    anchors.place = {pull_->place};
    anchors.stiffness = {pull_->stiffness};
    anchors.damping = {pull_->damping};
  }
  anchors.incidence = build_incidence(model.vertex_count(), anchors.vertices);
  anchors.colouring = colour(model.vertex_count(), anchors.vertices);
}

// --- colliders -------------------------------------------------------------------------------------

void Hands::glide(double from, double to, Input& input) const {
  for (size_t c = 0; c < offset_.size(); ++c) {
    if (wanted_[c] == offset_[c]) continue;
    const Vec3 way = wanted_[c] - offset_[c];
    input.collider_start[c].translation += from * way;
    input.collider_end[c].translation += to * way;
  }
}

void Hands::arrive(Model& model) {
  offset_ = wanted_;
  set_colliders(model);
}

void Hands::set_colliders(Model& model) const {
  for (size_t c = 0; c < offset_.size(); ++c) model.colliders[c].center = scene_centers_[c] + offset_[c];
}

}  // namespace muslin

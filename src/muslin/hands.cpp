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
  tune(solver, frame_time, model);
}

void Hands::drop(Model& model) {
  held_.clear();
  let_go_.clear();
  pull_.reset();
  offset_.assign(offset_.size(), Vec3::Zero());
  wanted_ = offset_;
  set_colliders(model);
  set_pins(model);
  set_anchors(model);
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

namespace {

constexpr double kStretch = 0.02;       // of the cloth's size, when it hangs on the pull
constexpr double kMostWeights = 3;      // that a pull may amount to
constexpr double kFingers = 0.03;       // radius of what they grip, of the cloth's size
constexpr double kLeastGravity = 9.81;  // [m/s²]

}  // namespace

bool Hands::pull(int vertex, const Vec3& place, const Points& positions, const Solver& solver,
                 double frame_time, Model& model) {
  if (pull_ && pull_->vertex == vertex) {
    pull_->place = place;
    return false;
  }
  const ClothRange& cloth = cloth_of(model, vertex);
  const double radius = kFingers * extent(model.start.middleCols(cloth.first_vertex, cloth.vertex_count));
  pull_ = Pull{vertex, place, 0, 0, 0, {}};
  double shares = 0;
  for (int v = cloth.first_vertex; v < cloth.first_vertex + cloth.vertex_count; ++v) {
    const double near = 1 - (model.start.col(v) - model.start.col(vertex)).norm() / radius;
    if (!(near > 0)) continue;
    pull_->grips.push_back({v, positions.col(v) - positions.col(vertex), near * model.mass[v]});
    shares += pull_->grips.back().share;
  }
  for (Grip& grip : pull_->grips) grip.share /= shares;
  tune(solver, frame_time, model);
  return true;
}

// The spring carries its piece of cloth with a stretch of 2 % of the cloth's size. It damps half as much as
// would keep the whole piece from bouncing on it, but no more than an explicit method can do without shorter
// steps; the vertex alone does not swing about its place.
void Hands::tune(const Solver& solver, double frame_time, Model& model) {
  set_anchors(model);
  if (!pull_) return;
  const ClothRange& cloth = cloth_of(model, pull_->vertex);
  const double mass = model.mass.segment(cloth.first_vertex, cloth.vertex_count).sum();
  const double size = extent(model.start.middleCols(cloth.first_vertex, cloth.vertex_count));
  const double weight = mass * std::max(model.gravity.norm(), kLeastGravity);
  pull_->stiffness = weight / (kStretch * size);
  pull_->reach = kMostWeights * kStretch * size;
  const auto middle = std::find_if(pull_->grips.begin(), pull_->grips.end(),
                                   [&](const Grip& grip) { return grip.vertex == pull_->vertex; });
  const double least = 2 * std::sqrt(model.mass[middle->vertex] / (middle->share * pull_->stiffness));

  const auto substeps_with = [&](double damping) {
    pull_->damping = damping;
    set_anchors(model);
    return solver.substeps(model, frame_time);
  };
  const int fewest = substeps_with(least);
  double damping = std::sqrt(mass / pull_->stiffness);
  while (damping > least && substeps_with(damping) > fewest) damping /= 2;
  if (damping <= least) substeps_with(least);
}

void Hands::release(Model& model) {
  pull_.reset();
  set_anchors(model);
}

void Hands::set_anchors(Model& model) const {
  AnchorEnergy& anchors = model.energies.anchors;
  anchors = {};
  for (const Grip& grip : pull_ ? pull_->grips : std::vector<Grip>()) {
    anchors.vertices.push_back({grip.vertex});
    anchors.place.push_back(pull_->place + grip.offset);
    anchors.stiffness.push_back(grip.share * pull_->stiffness);
    anchors.damping.push_back(pull_->damping);
  }
  anchors.incidence = build_incidence(model.vertex_count(), anchors.vertices);
  anchors.colouring = colour(model.vertex_count(), anchors.vertices);
}

void Hands::reach(const Points& positions, Model& model) const {
  if (!pull_) return;
  const Vec3 from = positions.col(pull_->vertex), way = pull_->place - from;
  const double share = way.norm() > pull_->reach ? pull_->reach / way.norm() : 1;
  const Vec3 place = share < 1 ? Vec3(from + share * way) : pull_->place;
  for (size_t k = 0; k < pull_->grips.size(); ++k)
    model.energies.anchors.place[k] = place + pull_->grips[k].offset;
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

#include "muslin/contact/touch.h"

#include <algorithm>

#include "muslin/contact/contact_energy.h"
#include "muslin/contact/gap.h"

namespace muslin {

TouchSet::TouchSet(const Model& model, const Input& input, const Points& start, double h)
    : model_(model),
      input_(input),
      start_(start),
      least_slip_(ContactEnergy::kStick * h),
      touches_(model.vertex_count()) {}

void TouchSet::hold(Filter& filter) const {
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v) {
    const Touch& touch = touches_[v];
    if (!touch.touches()) continue;
    filter.hold(v, touch.normal, touch.normal.dot(touch.with_surface));
    if (touch.phase == Phase::sticks) filter.hold_axes(v, Vec3::Ones(), touch.with_surface);
  }
}

std::vector<TouchSet::Drag> TouchSet::drags() const {
  std::vector<Drag> drags;
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v)
    if (const Touch& touch = touches_[v]; touch.phase == Phase::slides && touch.drag > 0)
      drags.push_back(
          {v, touch.drag * (Mat3::Identity() - touch.normal * touch.normal.transpose()), touch.with_surface});
  return drags;
}

int TouchSet::update(const Points& displacement, const Points& constraint_force,
                     const std::function<double(int)>& stiffness) {
  int changed = 0;
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v) {
    Touch& touch = touches_[v];
    if (touch.touches())
      changed += mend(touch, displacement.col(v), constraint_force.col(v), stiffness(v));
    else if (touch.phase == Phase::apart && !input_.controls->free.col(v).isZero())
      changed += begin(touch, v, displacement.col(v));
  }
  return changed;
}

// The collider that the vertex is deepest in holds it.
bool TouchSet::begin(Touch& touch, int v, const Vec3& displacement) const {
  const Vec3 x = start_.col(v) + displacement;
  double depth = 0;
  for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c) {
    const Collider& collider = model_.colliders[c];
    const Pose &from = input_.collider_start[c], &to = input_.collider_end[c];
    const auto [distance, normal] = surface_of(collider, to, x);
    if (!(collider.margin + model_.half_thickness[v] - distance > depth)) continue;
    depth = collider.margin + model_.half_thickness[v] - distance;
    const Vec3 carried =
        to.rotation * (from.rotation.transpose() * (start_.col(v) - from.translation)) + to.translation;
    touch.phase = collider.friction > 0 ? Phase::sticks : Phase::slides;
    touch.coefficient = collider.friction;
    touch.normal = normal;
    touch.with_surface = carried - start_.col(v);
    touch.with_surface += normal.dot(displacement + depth * normal - touch.with_surface) * normal;
  }
  return touch.touches();
}

bool TouchSet::mend(Touch& touch, const Vec3& displacement, const Vec3& force, double stiffness) const {
  const double pressure = force.dot(touch.normal);
  if (pressure < 0) {
    touch.phase = Phase::released;
    return true;
  }
  const double most = touch.coefficient * pressure;
  if (touch.phase == Phase::sticks) {
    const double needed = (force - pressure * touch.normal).norm();
    if (needed <= most) return false;
    touch.phase = Phase::slides;
    touch.drag = most / std::max((needed - most) / stiffness, least_slip_);
    return true;
  }
  const Vec3 away = displacement - touch.with_surface;
  touch.drag = most / std::max((away - away.dot(touch.normal) * touch.normal).norm(), least_slip_);
  return false;
}

int TouchSet::contacts() const {
  return static_cast<int>(
      std::count_if(touches_.begin(), touches_.end(), [](const Touch& touch) { return touch.touches(); }));
}

}  // namespace muslin

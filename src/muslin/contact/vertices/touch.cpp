#include "muslin/contact/vertices/touch.h"

#include <algorithm>

#include "muslin/contact/vertices/contact_energy.h"

namespace muslin {

TouchSet::TouchSet(const Model& model, const Input& input, const Points& start, double h)
    : model_(model),
      input_(input),
      start_(start),
      surfaces_(surfaces_after(model, input)),
      least_slip_(ContactEnergy::kStick * h),
      touches_(model.vertex_count()) {}

void TouchSet::hold(Filter& filter) const {
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v) {
    const Touch& touch = touches_[v];
    if (!touch.touches()) continue;
    filter.hold(v, touch.normal, touch.normal.dot(touch.with_surface));
    if (touch.sticks()) filter.hold_axes(v, Vec3::Ones(), touch.with_surface);
  }
}

std::vector<TouchSet::Drag> TouchSet::drags() const {
  std::vector<Drag> drags;
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v) {
    const Touch& touch = touches_[v];
    if (touch.phase != Phase::slides || touch.friction == 0) continue;
    const double length = std::max(touch.slip.norm(), least_slip_);
    const Vec3 along = touch.slip.normalized();
    const Mat3 across =
        Mat3::Identity() - touch.normal * touch.normal.transpose() - along * along.transpose();
    drags.push_back({v, -touch.friction * along, touch.friction / length * across, touch.with_surface});
  }
  return drags;
}

int TouchSet::update(const Points& displacement, const Points& constraint_force) {
  int changed = 0;
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v) {
    Touch& touch = touches_[v];
    if (touch.touches())
      changed += mend(touch, displacement.col(v), constraint_force.col(v));
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
    if (surfaces_[c].is_farther(x, collider.margin + model_.half_thickness[v])) continue;
    const auto [distance, normal] = surfaces_[c].at(x);
    if (!(collider.margin + model_.half_thickness[v] - distance > depth)) continue;
    depth = collider.margin + model_.half_thickness[v] - distance;
    touch.coefficient = friction_of(model_, collider, v);
    touch.phase = touch.coefficient > 0 ? Phase::sticks : Phase::slides;
    touch.normal = normal;
    touch.with_surface = surfaces_[c].carried(start_.col(v), x) - start_.col(v);
    touch.with_surface += normal.dot(displacement + depth * normal - touch.with_surface) * normal;
  }
  return touch.touches();
}

bool TouchSet::mend(Touch& touch, const Vec3& displacement, const Vec3& force) const {
  constexpr double kSame = 0.02;  // of friction, by which it may differ from Coulomb's at the end
  const double pressure = force.dot(touch.normal);
  if (pressure < 0) {
    touch.phase = Phase::released;
    return true;
  }
  const double most = touch.coefficient * pressure;
  if (touch.sticks()) {
    const Vec3 holding = force - pressure * touch.normal;
    if (holding.norm() <= most || touch.phase == Phase::driven_back) return false;
    touch.phase = Phase::slides;
    touch.friction = most;
    touch.slip = -least_slip_ * holding.normalized();  // where it would go
    return true;
  }
  const Vec3 away = displacement - touch.with_surface, slip = away - away.dot(touch.normal) * touch.normal;
  if (slip.dot(touch.slip) <= 0) {
    touch.phase = Phase::driven_back;
    return true;
  }
  const Vec3 before = touch.friction * touch.slip.normalized(), after = most * slip.normalized();
  touch.friction = most;
  touch.slip = slip;
  return (after - before).norm() > kSame * most;
}

int TouchSet::contacts() const {
  return static_cast<int>(
      std::count_if(touches_.begin(), touches_.end(), [](const Touch& touch) { return touch.touches(); }));
}

}  // namespace muslin

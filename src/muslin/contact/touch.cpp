#include "muslin/contact/touch.h"

#include "muslin/contact/gap.h"

namespace muslin {

TouchSet::TouchSet(const Model& model, const Input& input, const Points& start)
    : model_(model), input_(input), start_(start), touches_(model.vertex_count()) {}

std::optional<TouchSet::Touch> TouchSet::begin_touch(int v, const Vec3& displacement) const {
  const Vec3 x = start_.col(v) + displacement;
  std::optional<Touch> deepest;
  double most = 0;
  for (int c = 0; c < static_cast<int>(model_.colliders.size()); ++c) {
    const Collider& collider = model_.colliders[c];
    const Pose &from = input_.collider_start[c], &to = input_.collider_end[c];
    const double offset = collider.margin + model_.half_thickness[v];
    const auto [distance, normal] = surface_of(collider, to, x);
    if (!(offset - distance > most)) continue;
    most = offset - distance;
    const Vec3 carried =
        to.rotation * (from.rotation.transpose() * (start_.col(v) - from.translation)) + to.translation;
    Vec3 hold = carried - start_.col(v);
    hold += (normal.dot(displacement + most * normal - hold)) * normal;
    deepest = Touch{collider.friction, normal, hold, collider.friction > 0, Vec3::Zero()};
  }
  return deepest;
}

void TouchSet::hold(Filter& filter) const {
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v) {
    if (!touches_[v]) continue;
    const Touch& touch = *touches_[v];
    filter.hold(v, touch.normal, touch.normal.dot(touch.displacement));
    if (touch.sticks) filter.hold_axes(v, Vec3::Ones(), touch.displacement);
  }
}

void TouchSet::add_friction(Points& force) const {
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v)
    if (touches_[v]) force.col(v) += touches_[v]->friction;
}

int TouchSet::update(const Points& displacement, const Points& constraint_force) {
  int changed = 0;
  for (int v = 0; v < static_cast<int>(touches_.size()); ++v) {
    if (model_.free.col(v).isZero()) continue;
    if (touches_[v]) {
      changed += mend(touches_[v], displacement.col(v), constraint_force.col(v));
    } else {
      touches_[v] = begin_touch(v, displacement.col(v));
      changed += touches_[v].has_value();
    }
  }
  return changed;
}

bool TouchSet::mend(std::optional<Touch>& touch, const Vec3& displacement, const Vec3& force) {
  const double pressure = force.dot(touch->normal);
  if (pressure < 0) {
    touch.reset();
    return true;
  }
  const double most = touch->coefficient * pressure;
  if (touch->sticks) {
    const Vec3 needed = force - pressure * touch->normal;
    if (needed.norm() <= most) return false;
    touch->sticks = false;
    touch->friction = most / needed.norm() * needed;
    return true;
  }
  if (most == 0) return false;
  const Vec3 away = displacement - touch->displacement, slip = away - away.dot(touch->normal) * touch->normal;
  if (slip.dot(touch->friction) >= 0) {
    touch->sticks = true;
    touch->friction.setZero();
    return true;
  }
  const Vec3 friction = -most / slip.norm() * slip;
  const bool changed = (friction - touch->friction).norm() > kSameFriction * most;
  touch->friction = friction;
  return changed;
}

int TouchSet::contacts() const {
  int count = 0;
  for (const std::optional<Touch>& touch : touches_) count += touch.has_value();
  return count;
}

}  // namespace muslin

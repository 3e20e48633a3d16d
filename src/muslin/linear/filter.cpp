#include "muslin/linear/filter.h"

#include <algorithm>

namespace muslin {

namespace {

bool is_before(const Filter::Held& held, int vertex) { return held.vertex < vertex; }

}  // namespace

const Filter::Held* Filter::find(int vertex) const {
  const auto place = std::lower_bound(held_.begin(), held_.end(), vertex, is_before);
  return place != held_.end() && place->vertex == vertex ? &*place : nullptr;
}

Filter::Held& Filter::find_or_add(int vertex) {
  const auto place = held_.empty() || held_.back().vertex < vertex
                         ? held_.end()
                         : std::lower_bound(held_.begin(), held_.end(), vertex, is_before);
  if (place != held_.end() && place->vertex == vertex) return *place;
  return *held_.insert(place, {vertex, Mat3::Identity(), Vec3::Zero()});
}

void Filter::hold(int vertex, const Vec3& direction, double value) {
  constexpr double kParallel = 1e-8;  // sine of the angle to what is held already
  Held& h = find_or_add(vertex);
  const Vec3 unit = direction.normalized();
  const Vec3 rest = h.free * (h.free * unit);  // twice, as Gram–Schmidt needs
  const double size = rest.norm();
  if (!(size > kParallel)) return;
  const Vec3 p = rest / size;
  // What is missing along p, so that x · direction is the value
  h.prescribed += (value / direction.norm() - unit.dot(h.prescribed)) / unit.dot(p) * p;
  h.free -= p * p.transpose();
  if (h.free.trace() < 0.5) h.free.setZero();
}

void Filter::hold_axes(int vertex, const Vec3& fixed, const Vec3& prescribed) {
  for (int axis = 0; axis < 3; ++axis)
    if (fixed[axis] > 0) hold(vertex, Vec3::Unit(axis), prescribed[axis]);
}

bool Filter::moves() const {
  return std::any_of(held_.begin(), held_.end(), [](const Held& h) { return !h.prescribed.isZero(0); });
}

}  // namespace muslin

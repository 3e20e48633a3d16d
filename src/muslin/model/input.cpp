#include "muslin/model/input.h"

#include <Eigen/Geometry>

#include "muslin/core/maths.h"
#include "muslin/model/fastening.h"

namespace muslin {

namespace {
// A fraction of the shorter turn from a to b, at an even speed [Shoemake 1985].
Eigen::Quaterniond turned_between(const Eigen::Quaterniond& a, Eigen::Quaterniond b, double fraction) {
  constexpr double kOneTurn = 1 - 0x1p-52;  // a cosine from which on the angle is lost to rounding
  double cosine = a.dot(b);
  if (cosine < 0) {  // b and −b are one rotation
    cosine = -cosine;
    b.coeffs() = -b.coeffs();
  }
  double of_a = 1 - fraction, of_b = fraction;
  if (cosine < kOneTurn) {
    const double angle = maths::acos(cosine), sine = maths::sin(angle);
    of_a = maths::sin(of_a * angle) / sine;
    of_b = maths::sin(of_b * angle) / sine;
  }
  return Eigen::Quaterniond(of_a * a.coeffs() + of_b * b.coeffs());
}

// What does not turn stays as it is, to the bit.
Pose between(const Pose& start, const Pose& end, double fraction) {
  const Vec3 place = start.translation + fraction * (end.translation - start.translation);
  if (start.rotation == end.rotation) return {start.rotation, place};
  const Eigen::Quaterniond first(start.rotation), last(end.rotation);
  return {turned_between(first, last, fraction).toRotationMatrix(), place};
}

// Springs of pins draw to where these are at the end of the step.
void aim_springs(Input& input) {
  const Controls& controls = *input.controls;
  if (controls.pulled.empty()) return;
  auto aimed = std::make_shared<Controls>(controls);
  aim_springs(*input.model, input.collider_end, input.time_end, *aimed);
  input.aimed = aimed;
  input.controls = aimed.get();
}
}  // namespace

Input make_input(const Model& model, const Controls& controls, double time_start, double time_end) {
  Input input;
  input.model = &model;
  input.controls = &controls;
  input.time_start = time_start;
  input.time_end = time_end;
  input.collider_start = poses_at(model.colliders, time_start, controls.collider_offset);
  input.collider_end = poses_at(model.colliders, time_end, controls.collider_offset);
  input.pin_targets = places_of(model, controls, controls.pins, input.collider_end, time_end);
  aim_springs(input);
  return input;
}

void aim_springs(const Model& model, const std::vector<Pose>& poses, double time, Controls& controls) {
  const Points places = places_of(model, controls, controls.pulled, poses, time);
  for (size_t p = 0; p < controls.pulled.size(); ++p) controls.pulls.rest[p] = places.col(p);
}

void aim_fastened(Input& input) {
  const Controls& controls = *input.controls;
  if (controls.fastenings.empty()) return;
  const Points targets = places_of(*input.model, controls, controls.pins, input.collider_end, input.time_end);
  for (size_t p = 0; p < controls.pins.size(); ++p)
    if (controls.pins[p].fastening >= 0) input.pin_targets.col(p) = targets.col(p);
  aim_springs(input);
}

Input part_of(const Input& input, const Points& positions, double from, double to) {
  if (from == 0 && to == 1) return input;
  Input part = input;
  part.time_start = input.time_start + from * (input.time_end - input.time_start);
  part.time_end = input.time_start + to * (input.time_end - input.time_start);
  for (size_t c = 0; c < input.collider_start.size(); ++c) {
    part.collider_start[c] = between(input.collider_start[c], input.collider_end[c], from);
    part.collider_end[c] = between(input.collider_start[c], input.collider_end[c], to);
  }
  for (size_t p = 0; p < input.controls->pins.size(); ++p) {
    const Vec3 place = positions.col(input.controls->pins[p].vertex), target = input.pin_targets.col(p);
    part.pin_targets.col(p) = place + (to - from) / (1 - from) * (target - place);
  }
  aim_fastened(part);
  return part;
}

void apply_pins(const Input& input, Points& positions) {
  for (size_t p = 0; p < input.controls->pins.size(); ++p) {
    const PinnedVertex& pin = input.controls->pins[p];
    for (int axis = 0; axis < 3; ++axis)
      if (pin.fixed[axis] != 0) positions(axis, pin.vertex) = input.pin_targets(axis, p);
  }
}

}  // namespace muslin

#include "muslin/model/flatness.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace muslin {

namespace {

constexpr double kExactly = 1e-9;  // sine of an angle, or height over size, that is no slope

/// The normal of a cloth's plane; zero where it is not flat.
Vec3 normal_of(const Model& model, const ClothRange& range) {
  const auto x = model.start.middleCols(range.first_vertex, range.vertex_count);
  const Vec3 middle = x.rowwise().mean();
  Vec3 area = Vec3::Zero();
  for (int t = range.first_triangle; t < range.first_triangle + range.triangle_count; ++t) {
    const auto& [a, b, c] = model.triangles[t];
    const Vec3 ab = model.start.col(b) - model.start.col(a), ac = model.start.col(c) - model.start.col(a);
    area += ab.cross(ac);
  }
  if (area.isZero(0)) return Vec3::Zero();
  const Vec3 normal = area.normalized();
  const double size = (x.colwise() - middle).colwise().norm().maxCoeff();
  const double height = (normal.transpose() * (x.colwise() - middle)).cwiseAbs().maxCoeff();
  return height <= kExactly * size ? normal : Vec3(Vec3::Zero());
}

struct SheetPlane {
  Vec3 normal;
  bool has(const Vec3& direction) const {
    return std::abs(normal.dot(direction)) <= kExactly * direction.norm();
  }
  bool has(const Motion& motion) const {
    return has(motion.swing) &&
           std::all_of(motion.keyframes.begin(), motion.keyframes.end(),
                       [&](const Keyframe& key) { return has(key.offset) && key.rotation.isZero(0); });
  }
};

bool has_wind(const Wind& wind) {
  return wind.law == WindLaw::aerodynamic ? wind.air_density > 0 && !wind.velocity.isZero(0)
                                          : !wind.pressure.isZero(0);
}

bool acts_along(const SheetPlane& plane, const Wind& wind) {
  if (wind.law == WindLaw::mosegaard) return plane.has(wind.pressure);
  return wind.air_density == 0 || (plane.has(wind.velocity) && wind.gust == 0);
}

/// Whether gravity presses a cloth together rather than stretches it: nothing holds it above its middle, and
/// there is something below.
bool is_pressed(const Scene& scene, const Model& model, const ClothRange& range) {
  const Vec3& gravity = scene.gravity;
  if (gravity.isZero(0)) return false;
  const auto x = model.start.middleCols(range.first_vertex, range.vertex_count);
  const double middle = gravity.dot(x.rowwise().mean());
  bool is_held = false;
  for (const PinnedVertex& pin : model.script.pins) {
    if (pin.vertex < range.first_vertex || pin.vertex >= range.first_vertex + range.vertex_count) continue;
    if (gravity.dot(model.start.col(pin.vertex)) <= middle) return false;
    is_held = true;
  }
  return is_held || std::any_of(scene.colliders.begin(), scene.colliders.end(),
                                [](const Collider& collider) { return collider.enabled; });
}

}  // namespace

std::string flatness_hint(const Scene& scene, const Cloth& cloth, const Model& model,
                          const ClothRange& range) {
  const bool is_blown = has_wind(scene.wind), is_pushed = is_blown || is_pressed(scene, model, range);
  if (!is_pushed || !scene.energies.empty()) return "";
  const SheetPlane plane{normal_of(model, range)};
  if (plane.normal.isZero(0) || !plane.has(scene.gravity) || !plane.has(cloth.velocity) ||
      !acts_along(plane, scene.wind))
    return "";
  for (const PinnedVertex& pin : model.script.pins)
    if (const PinMotion& by = model.script.pin_motions[pin.motion];
        pin.vertex >= range.first_vertex && pin.vertex < range.first_vertex + range.vertex_count &&
        (by.follows >= 0 || !plane.has(by.motion)))
      return "";
  return fmt::format(
      "begins flat, and {} along its plane exactly, as does all else, so it never leaves this plane: it will "
      "{}; {}",
      !is_blown                              ? "gravity acts"
      : scene.wind.law == WindLaw::mosegaard ? "the wind presses"
                                             : "the wind blows",
      is_blown ? "not flutter" : "stand on its edge and not fold",
      cloth.grid ? "\"jitter\": 1e-5 in its grid, or u and v that slope a little, let it"
                 : "\"rotation\": [1, 2, 3] in its mesh slopes it enough");
}

}  // namespace muslin

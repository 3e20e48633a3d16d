#pragma once
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Geometry>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "muslin/energy/energies.h"

// Random elements of every energy, nearly degenerate ones among them. A new energy needs an `element` that
// makes a random one, else tests do not compile, and nothing more: what else the tests ask of single energies
// has an answer that fits most (tame_shape, resting_at, put_shape, kInternal, kTurns).

namespace muslin {

/// 0 to count − 1, evenly from the first case on: otherwise early cases would be small.
inline int any_of(int count) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count)); }
inline double between(double low, double high) {
  return low + (high - low) * any_of(1'000'001) / 1'000'000.0;
}
/// Any order of magnitude is as likely as another.
inline double scale_between(double low, double high) {
  return std::exp(between(std::log(low), std::log(high)));
}
inline Vec3 any_place(double reach) {
  const double x = between(-reach, reach), y = between(-reach, reach), z = between(-reach, reach);
  return {x, y, z};
}
inline Mat3 any_rotation() {
  const Vec3 axis = any_place(1) + Vec3(0, 0, 1e-3);
  return Eigen::AngleAxisd(between(0, 6.28), axis.normalized()).toRotationMatrix();
}

/// One element of an energy: its rest shape and some other shape.
template <class E>
struct Element {
  E energy;
  Local<E::kSize> rest, x;
  double thinness = 1;  ///< [m] the least height of a triangle at rest: what displacements are relative to

  /// [N/m] what second derivatives are relative to
  double stiffness() const { return energy[0].majorant().cwiseAbs().maxCoeff(); }
};

inline Element<SpringEnergy> element(const SpringEnergy&) {
  Element<SpringEnergy> made;
  const double length = between(0.1, 2), stiffness = between(1, 1e4);
  made.energy.add({0, 1}, 0, {SpringClass::structural}, stiffness, length);
  const Vec3 place = any_place(1), direction = any_rotation().col(0);
  made.rest << place, place + length * direction;
  made.x << place, place + scale_between(1e-3, 3) * length * any_rotation().col(1);
  return made;
}

/// A triangle in the plane z = 0, counter-clockwise, base from 0 to (l, 0, 0); one in three is a sliver.
inline Local<3> any_triangle() {
  const double base = between(0.5, 2), height = base * (any_of(3) == 0 ? 0.02 : between(0.3, 1));
  Local<3> corners;
  corners << Vec3::Zero(), Vec3(base, 0, 0), Vec3(between(-0.5, 1.5) * base, height, 0);
  return corners;
}
inline Vec3 any_direction_in_plane() {
  const double angle = between(0, 6.28);
  return {std::cos(angle), std::sin(angle), 0};
}

/// What membranes share: a triangle at rest, and deformed, from nearly flattened to twice its size.
template <class E>
RestTriangle deform_triangle(Element<E>& made) {
  const Local<3> flat = any_triangle();
  const Vec3 warp = any_direction_in_plane();
  const Mat3 placed = any_rotation();
  const Vec3 place = any_place(1);
  made.rest = (placed * flat).colwise() + place;
  made.thinness = flat(1, 2);
  const Mat3 turn = any_rotation(), back = any_rotation();
  const Mat3 strain = turn * Vec3(scale_between(1e-3, 2), between(0.3, 2), 1).asDiagonal() * back.transpose();
  made.x = (strain * flat).colwise() + any_place(1);
  return rest_triangle(made.rest, placed * warp);
}

inline Element<BaraffWitkinEnergy> element(const BaraffWitkinEnergy&) {
  Element<BaraffWitkinEnergy> made;
  const RestTriangle triangle = deform_triangle(made);
  const Vec3 stiffness(between(1, 1e3), between(1, 1e3), between(0, 3e2));
  made.energy.add({0, 1, 2}, 0, {triangle}, stiffness, Vec3(1, 1, 0));
  return made;
}

inline Element<StVKEnergy> element(const StVKEnergy&) {
  Element<StVKEnergy> made;
  const RestTriangle triangle = deform_triangle(made);
  const double warp = between(1, 1e3), weft = between(1, 1e3), poisson = between(0, 0.99);
  Mat3 stiffness = Vec3(warp, weft, between(0, 3e2)).asDiagonal();
  stiffness(0, 1) = stiffness(1, 0) = poisson * std::sqrt(warp * weft);
  made.energy.add({0, 1, 2}, 0, triangle, stiffness, Vec3::Zero());
  return made;
}

/// A point across an edge, `height` away in the direction that is `angle` below the plane (its front at z).
inline Vec3 flap_tip(const Vec3& p, const Vec3& q, double along, double height, double angle) {
  const Vec3 edge = (q - p).normalized(), outward = edge.cross(Vec3::UnitZ());
  return p + along * (q - p) + height * (std::cos(angle) * outward - std::sin(angle) * Vec3::UnitZ());
}

/// A triangle and its neighbours: flat, or folded by up to `reach` over each edge. Some have borders.
struct Plate {
  PlateStencil vertices{0, 1, 2, 3, 4, 5};
  Local<3> triangle = any_triangle();
  std::array<double, 3> along, height;

  Plate() {
    const int border = any_of(6);  // three in six have one
    for (int k = 0; k < 3; ++k) {
      along[k] = between(-0.3, 1.3);
      height[k] = any_of(5) == 0 ? 0.03 : between(0.3, 1);
      if (k == border) vertices[3 + k] = k;
    }
  }
  Local<6> folded(const Vec3& angles) const {
    Local<6> x;
    for (int k = 0; k < 3; ++k) {
      const auto [p, q, a, b] = hinge_slots(k);
      x.col(k) = triangle.col(k);
      x.col(b) = is_border(vertices, k)
                     ? Vec3(triangle.col(k))
                     : flap_tip(triangle.col(p), triangle.col(q), along[k], height[k], angles[k]);
    }
    return x;
  }
  Local<6> folded(double reach) const {
    return folded(Vec3(between(-reach, reach), between(-reach, reach), between(-reach, reach)));
  }
  double thinness() const { return std::min({triangle(1, 2), height[0], height[1], height[2]}); }
};
inline constexpr double kSharp = 170 * 3.14159265358979 / 180;

/// A shape nearby: stretched a little, and anywhere.
inline Local<6> stretched(const Plate& plate, const Local<6>& x) {
  Local<6> moved = any_rotation() * x;
  for (int k = 0; k < 6; ++k)
    if (k < 3 || !is_border(plate.vertices, k - 3)) moved.col(k) += any_place(0.1 * plate.thinness());
  moved.colwise() += any_place(1);
  for (int k = 0; k < 3; ++k)
    if (is_border(plate.vertices, k)) moved.col(3 + k) = moved.col(k);
  return moved;
}
inline Rigidity any_rigidity() { return {scale_between(1e-6, 1), scale_between(1e-6, 1)}; }

inline Element<BendingEnergy> element(const BendingEnergy&) {
  Element<BendingEnergy> made;
  const Plate plate;
  const Mat3 placed = any_rotation();
  made.rest = (placed * plate.folded(Vec3::Zero())).colwise() + any_place(1);
  made.x = stretched(plate, plate.folded(kSharp));
  made.thinness = plate.thinness();
  const PlateTriangle shape =
      plate_triangle(plate.vertices, made.rest, placed * any_direction_in_plane(), any_rigidity());
  made.energy.add(plate.vertices, 0, shape.root * shape.hinges, 1);
  return made;
}

inline Element<DihedralEnergy> dihedral_element(const Vec3& rest_angles) {
  Element<DihedralEnergy> made;
  const Plate plate;
  const Mat3 placed = any_rotation();
  made.rest = (placed * plate.folded(rest_angles)).colwise() + any_place(1);
  made.x = stretched(plate, plate.folded(kSharp));
  made.thinness = plate.thinness();
  const PlateTriangle shape =
      plate_triangle(plate.vertices, made.rest, placed * any_direction_in_plane(), any_rigidity());
  const Mat3 root = shape.root * shape.length.asDiagonal();
  DihedralEnergy::Shape kept;
  kept.hinges = shape.length.cwiseInverse().asDiagonal() * shape.hinges;
  Vec3 rest = rest_angles;
  for (int k = 0; k < 3; ++k) {
    kept.is_border[k] = is_border(plate.vertices, k);
    if (kept.is_border[k]) rest[k] = 0;
  }
  made.energy.add(plate.vertices, 0, kept, root.transpose() * root, rest);
  return made;
}
inline Element<DihedralEnergy> element(const DihedralEnergy&) {
  const double reach = any_of(2) == 0 ? 0 : 2;
  return dihedral_element(Vec3(between(-reach, reach), between(-reach, reach), between(-reach, reach)));
}

inline Element<StitchEnergy> element(const StitchEnergy&) {
  Element<StitchEnergy> made;
  const double length = between(0.1, 2);
  made.energy.add({0, 1}, 0, length, between(1, 1e4), 0);
  const Vec3 place = any_place(1);
  made.rest << place, place + length * any_rotation().col(0);
  made.x << place, place + scale_between(0.1, 10) * length * any_rotation().col(1);
  return made;
}

inline Element<AnchorEnergy> element(const AnchorEnergy&) {
  Element<AnchorEnergy> made;
  made.rest = any_place(1);
  made.energy.add({0}, 0, {}, between(1, 1e4), made.rest);
  made.x = any_place(1);
  return made;
}

/// Whether an energy pulls vertices towards each other, not to places of the world; and whether damping lets
/// it turn then: quadratic bending cannot tell that curved cloth turns from a change of its curvature.
template <class E>
inline constexpr bool kInternal = !std::is_same_v<E, AnchorEnergy>;
template <class E>
inline constexpr bool kTurns = kInternal<E> && !std::is_same_v<E, BendingEnergy>;

namespace detail {
template <bool kept, class E>
using ListIf = std::conditional_t<kept, std::tuple<E>, std::tuple<>>;
template <class... E>
testing::Types<E...> types_of(const std::tuple<E...>&);
template <class... E>
auto all_of(const std::tuple<E&...>&)
    -> decltype(std::tuple_cat(ListIf<!std::is_same_v<E, StoredCustomEnergy>, E>()...));
template <class... E>
auto internal_of(const std::tuple<E...>&) -> decltype(std::tuple_cat(ListIf<kInternal<E>, E>()...));
template <class... E>
auto turning_of(const std::tuple<E...>&) -> decltype(std::tuple_cat(ListIf<kTurns<E>, E>()...));
using All = decltype(all_of(Energies::members(std::declval<Energies&>())));
}  // namespace detail

/// All members of Energies but that from outside, which is as its user writes it, and those of which the
/// above holds.
using AllEnergies = decltype(detail::types_of(std::declval<detail::All>()));
using InternalEnergies = decltype(detail::types_of(detail::internal_of(std::declval<detail::All>())));
using TurningEnergies = decltype(detail::types_of(detail::turning_of(std::declval<detail::All>())));

/// Damps a step that begins somewhere else, so that rest and stiffness are no longer those of the material.
template <class E>
void damp(Element<E>& made, const Local<E::kSize>& before, double damping, double h) {
  made.energy.edit().damping = {damping};
  const E elastic = made.energy;
  damp(elastic, Points(before), h, made.energy);
}

/// Strain stiffening and, of every other element, a strain limit, which are not part of any condition.
inline void stiffen(Element<BaraffWitkinEnergy>& made) {
  auto& element = made.energy.edit().shapes[0];
  element.stiffening = Eigen::Vector2d(between(0, 1e3), between(0, 1e3));
  if (any_of(2) == 0) return;
  element.limit.strain = scale_between(0.05, 2);
  element.limiting = Eigen::Vector2d(between(1, 1e3), between(1, 1e3));
}
template <class E>
void stiffen(Element<E>&) {}

/// Also with what damping, stiffening and limits do.
template <class E>
Element<E> any_element() {
  Element<E> made = element(E());
  stiffen(made);
  if (any_of(3) == 0) damp(made, element(E()).x, between(0, 0.1), 0.01);
  return made;
}

}  // namespace muslin

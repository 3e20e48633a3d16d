#pragma once
#include <cmath>
#include <optional>

#include "muslin/core/maths.h"
#include "muslin/energy/plate.h"

namespace muslin {

/// The two triangles at an edge p q with the tips a and b, their angle, and how it changes. With the edge e
/// and the normals o = e × (a − p) and w = (b − p) × e, twice as long as the areas [Tamstorf 2013]:
///   ∂θ/∂a = A = −|e|/|o|² o,   ∂θ/∂b = B = −|e|/|w|² w,
///   ∂θ/∂p = (α − 1) A + (β − 1) B,   ∂θ/∂q = −α A − β B
/// where α and β are the places of the tips' feet on the edge. A triangle without area has no slope.
template <class T>
struct Fold {
  using Vec3T = Eigen::Vector3<T>;  ///< in space
  Vec3T A;                          ///< ∂θ/∂a [1/m]
  Vec3T B;                          ///< ∂θ/∂b [1/m]
  T alpha;                          ///< the foot of a, 0 at p and 1 at q
  T beta;                           ///< likewise of b
  T sine;                           ///< of θ, times |e| |o| |w|
  T cosine;                         ///< likewise

  /// Of vertices at these places.
  Fold(const Vec3T& p, const Vec3T& q, const Vec3T& a, const Vec3T& b) {
    using std::sqrt;
    const Vec3T edge = q - p, own_arm = a - p, other_arm = b - p;
    const Vec3T own = edge.cross(own_arm), other = other_arm.cross(edge);
    const T squared = edge.squaredNorm(), own_squared = own.squaredNorm(),
            other_squared = other.squaredNorm();
    const T length = sqrt(squared);
    sine = own.cross(other).dot(edge);
    cosine = own.dot(other) * length;
    const auto own_sound = both(squared > T(0), own_squared > T(0));
    const auto other_sound = both(squared > T(0), other_squared > T(0));
    A = or_zero(own_sound, (-length / own_squared) * own);
    B = or_zero(other_sound, (-length / other_squared) * other);
    alpha = select(own_sound, T(own_arm.dot(edge) / squared), T(0));
    beta = select(other_sound, T(other_arm.dot(edge) / squared), T(0));
  }

  /// θ [rad]
  T angle() const {
    using maths::atan2;
    return atan2(sine, cosine);
  }
};

/// Bending by the angles between triangles [Grinspun 2003], for any rest shape, in the form of plate.h:
/// E = ½ φᵀ Q φ with φ_k = θ_k − rest_k. The elements of one pack have their borders at the same edges.
template <class T>
struct DihedralBending {
  static constexpr std::string_view kName = "dihedral_bending";  ///< in lists and reports
  static constexpr int kSize = 6;                 ///< a triangle and the tips of its neighbours (plate.h)
  static constexpr int kConditions = 1;           ///< C = √(2E)
  static constexpr bool kIsMembrane = false;      ///< it bends
  static constexpr bool kMajorantIsModel = true;  ///< of the flat plate: iterations are the same
  using Number = T;                               ///< double, or a pack or dual number
  using Vec3T = Eigen::Vector3<T>;                ///< in space, or one number a hinge
  using Mat3T = Eigen::Matrix3<T>;                ///< in space, or a number for every two hinges
  /// What is constant during a run.
  struct Shape {
    std::array<bool, 3> is_border;  ///< whether there is no neighbour across edge k
    Eigen::Matrix<T, 3, 6> hinges;  ///< θ_k = Σ hinges(k, i) xᵢ [1/m] near the plane
  };
  using Stiffness = Mat3T;     ///< Q [N·m]
  using Rest = Vec3T;          ///< angles [rad]
  using Shared = PlateHinges;  ///< what two elements at an edge have in common: hinge_loops.h

  const Shape& shape;      ///< borders, and the angles of small deflections
  const Mat3T& stiffness;  ///< Q [N·m], positive semi-definite; zero rows at borders
  const Vec3T& rest;       ///< angles at rest [rad]

  /// The three angles [rad]; those at rest over borders.
  Rest measure(const Local<6, T>& x) const;

  /// E [J]
  T value(const Local<6, T>& x) const;
  /// ∂E/∂x [N], with ∂θ/∂x after [Tamstorf 2013].
  Local<6, T> gradient(const Local<6, T>& x) const;
  /// Both, for hardly more than one: what angles and their slopes share is most of the work.
  T value_and_gradient(const Local<6, T>& x, Local<6, T>& gradient) const;
  /// ∂²E/∂x² [N/m], exact.
  LocalHessian<6, T> hessian(const Local<6, T>& x) const;
  /// Without the curvature of the angles themselves [Gauss–Newton].
  LocalHessian<6, T> hessian_psd(const Local<6, T>& x) const;
  /// Of the plate when it is flat: triangles at a sharp fold are softer along some directions and stiffer
  /// along others.
  Pairs<6, T> majorant() const { return shape.hinges.transpose() * stiffness * shape.hinges; }

  /// C = √(φᵀ Q φ), as energy_condition, with the angles taken once.
  T condition(int, const Local<6, T>& x, Local<6, T>& gradient) const;
  /// 1, as C² is an energy.
  T compliance(int) const { return T(1); }

 private:
  struct Hinge;
  struct Wing;

  std::array<Hinge, 3> hinges(const Local<6, T>& x) const;
  Vec3T bent(const std::array<Hinge, 3>& hinges) const;
  LocalHessian<6, T> curvature_of_slopes(const std::array<Hinge, 3>& hinges) const;
};
/// All such elements of a model, stored.
using DihedralEnergy = ElementEnergy<DihedralBending>;
static_assert(Energy<DihedralEnergy>);

/// Hinge k of an element.
template <class T>
struct DihedralBending<T>::Hinge {
  Stencil<4> slots;             // p, q, a, b in the plate's stencil
  std::optional<Fold<T>> fold;  // none over a border

  Hinge(int k, bool is_border, const Local<6, T>& x) : slots(hinge_slots(k)) {
    const auto [p, q, a, b] = slots;
    if (!is_border) fold.emplace(x.col(p), x.col(q), x.col(a), x.col(b));
  }

  /// gradient += factor ∂θ/∂x
  void add_slope(const T& factor, Local<6, T>& gradient) const {
    if (!fold) return;
    const auto [p, q, a, b] = slots;
    const Vec3T to_a = factor * fold->A, to_b = factor * fold->B;
    gradient.col(a) += to_a;
    gradient.col(b) += to_b;
    gradient.col(p) += (fold->alpha - 1) * to_a + (fold->beta - 1) * to_b;
    gradient.col(q) += -fold->alpha * to_a - fold->beta * to_b;
  }
};

/// One of the two triangles at a hinge, of the exact Hessian: the edge p q and the tip a, counter-clockwise.
/// ∂θ = ∂(own) + ∂(other), where each triangle gives ∂θ/∂x_r = c_r (−n/h) to its three vertices [Tamstorf
/// 2013].
template <class T>
struct DihedralBending<T>::Wing {
  Stencil<3> slots;  // of the plate's stencil: p, q, a
  Mat3T mn, tn;      // m nᵀ + n mᵀ and t nᵀ: t along the edge, m to the tip, n normal
  Vec3T c;           // (α − 1, −α, 1) of p, q, a, where α is the place of the tip's foot on the edge
  T per_height;      // 1/h [1/m]; 0 for a triangle without area
  T per_length;      // 1/l

  Wing(const Stencil<3>& in_stencil, const Local<6, T>& x) : slots(in_stencil) {
    using std::sqrt;
    const Vec3T p = x.col(slots[0]), edge = x.col(slots[1]) - p, arm = x.col(slots[2]) - p;
    const Vec3T doubled = edge.cross(arm);
    const T squared = edge.squaredNorm(), area = doubled.norm(), length = sqrt(squared);
    const auto sound = both(squared > T(0), area > T(0));
    per_length = select(sound, T(1 / length), T(0));
    per_height = select(sound, T(length / area), T(0));
    const Vec3T t = per_length * edge, n = or_zero(sound, doubled / area), m = n.cross(t);
    const Mat3T half = m * n.transpose();
    mn = half + half.transpose();
    tn = t * n.transpose();
    const T alpha = select(sound, T(arm.dot(edge) / squared), T(0));
    c = Vec3T(alpha - 1, -alpha, T(1));
  }

  /// The symmetric part of ∂²θ/∂x_r∂x_s; the parts that are left out cancel between the two triangles:
  ///   c_r c_s (m nᵀ + n mᵀ)/h² + (c_r d_s t nᵀ + d_r c_s n tᵀ)/h + d_r d_s (m nᵀ + n mᵀ)/2,  d = (−1, 1,
  ///   0)/l.
  Mat3T curvature(int r, int s) const {
    const Vec3T d(-per_length, per_length, T(0));
    return (c[r] * c[s] * per_height * per_height + d[r] * d[s] / 2) * mn +
           per_height * (c[r] * d[s] * tn + d[r] * c[s] * tn.transpose());
  }
};

template <class T>
std::array<typename DihedralBending<T>::Hinge, 3> DihedralBending<T>::hinges(const Local<6, T>& x) const {
  const std::array<bool, 3>& border = shape.is_border;
  return {Hinge(0, border[0], x), Hinge(1, border[1], x), Hinge(2, border[2], x)};
}

// φ: what the angles are beside those at rest.
template <class T>
Eigen::Vector3<T> DihedralBending<T>::bent(const std::array<Hinge, 3>& hinges) const {
  Vec3T bent;
  for (int k = 0; k < 3; ++k) bent[k] = hinges[k].fold ? T(hinges[k].fold->angle() - rest[k]) : T(0);
  return bent;
}

template <class T>
typename DihedralBending<T>::Rest DihedralBending<T>::measure(const Local<6, T>& x) const {
  Vec3T angles = rest;
  for (int k = 0; k < 3; ++k) {
    if (shape.is_border[k]) continue;
    const auto [p, q, a, b] = hinge_slots(k);
    angles[k] = dihedral_angle<T>(x.col(p), x.col(q), x.col(a), x.col(b));
  }
  return angles;
}

template <class T>
T DihedralBending<T>::value(const Local<6, T>& x) const {
  const Vec3T bent = measure(x) - rest;
  return T(0.5) * bent.dot(stiffness * bent);
}

template <class T>
Local<6, T> DihedralBending<T>::gradient(const Local<6, T>& x) const {
  Local<6, T> gradient;
  value_and_gradient(x, gradient);
  return gradient;
}

template <class T>
T DihedralBending<T>::value_and_gradient(const Local<6, T>& x, Local<6, T>& gradient) const {
  const std::array<Hinge, 3> hinges = this->hinges(x);
  const Vec3T bent = this->bent(hinges), moments = stiffness * bent;
  gradient.setZero();
  for (int k = 0; k < 3; ++k) hinges[k].add_slope(moments[k], gradient);
  return T(0.5) * bent.dot(moments);
}

template <class T>
T DihedralBending<T>::condition(int, const Local<6, T>& x, Local<6, T>& gradient) const {
  using std::sqrt;
  const T size = sqrt(2 * positive(value_and_gradient(x, gradient)));
  gradient = or_zero(size > T(0), gradient / size);
  return size;
}

template <class T>
LocalHessian<6, T> DihedralBending<T>::hessian(const Local<6, T>& x) const {
  const std::array<Hinge, 3> hinges = this->hinges(x);
  const Vec3T moments = stiffness * bent(hinges);
  LocalHessian<6, T> h = curvature_of_slopes(hinges);
  for (int k = 0; k < 3; ++k) {
    if (shape.is_border[k]) continue;
    const auto [p, q, a, b] = hinge_slots(k);
    for (const Wing& wing : {Wing({p, q, a}, x), Wing({q, p, b}, x)})
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s)
          h.template block<3, 3>(3 * wing.slots[r], 3 * wing.slots[s]) += moments[k] * wing.curvature(r, s);
  }
  return h;
}

template <class T>
LocalHessian<6, T> DihedralBending<T>::hessian_psd(const Local<6, T>& x) const {
  return curvature_of_slopes(hinges(x));
}

template <class T>
LocalHessian<6, T> DihedralBending<T>::curvature_of_slopes(const std::array<Hinge, 3>& hinges) const {
  Eigen::Matrix<T, 18, 3> slopes;
  for (int k = 0; k < 3; ++k) {
    Local<6, T> slope = Local<6, T>::Zero();
    hinges[k].add_slope(T(1), slope);
    slopes.col(k) = Eigen::Map<const Eigen::Matrix<T, 18, 1>>(slope.data());
  }
  const Eigen::Matrix<T, 18, 3> moments = slopes * stiffness;
  LocalHessian<6, T> h;  // column by column: docs/decisions, small blocks
  for (int i = 0; i < 18; ++i)
    h.col(i) = slopes(i, 0) * moments.col(0) + slopes(i, 1) * moments.col(1) + slopes(i, 2) * moments.col(2);
  return h;
}

extern template struct DihedralBending<double>;

}  // namespace muslin

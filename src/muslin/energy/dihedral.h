#pragma once
#include <cmath>

#include "muslin/energy/plate.h"

namespace muslin {

/// Bending by the angles between triangles [Grinspun 2003], for any rest shape, in the form of plate.h:
/// E = ½ φᵀ Q φ with φ_k = θ_k − rest_k. The elements of one pack have their borders at the same edges.
template <class T>
struct DihedralBending {
  static constexpr std::string_view kName = "dihedral_bending";  ///< in lists and reports
  static constexpr int kSize = 6;        ///< a triangle and the tips of its neighbours (plate.h)
  static constexpr int kConditions = 1;  ///< C = √(2E)
  using Number = T;                      ///< double, or a pack or dual number
  using Vec3T = Eigen::Vector3<T>;       ///< in space, or one number a hinge
  using Mat3T = Eigen::Matrix3<T>;       ///< in space, or a number for every two hinges
  /// What is constant during a run.
  struct Shape {
    std::array<bool, 3> is_border;  ///< whether there is no neighbour across edge k
    Eigen::Matrix<T, 3, 6> hinges;  ///< θ_k = Σ hinges(k, i) xᵢ [1/m] near the plane
  };
  using Stiffness = Mat3T;  ///< Q [N·m]
  using Rest = Vec3T;       ///< angles [rad]

  const Shape& shape;      ///< borders, and the angles of small deflections
  const Mat3T& stiffness;  ///< Q [N·m], positive semi-definite; zero rows at borders
  const Vec3T& rest;       ///< angles at rest [rad]

  /// The three angles [rad]; those at rest over borders.
  Rest measure(const Local<6, T>& x) const;

  /// E [J]
  T value(const Local<6, T>& x) const;
  /// ∂E/∂x [N], with ∂θ/∂x after [Tamstorf 2013].
  Local<6, T> gradient(const Local<6, T>& x) const;
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
  struct Wing;

  Local<6, T> gradient_of(const Vec3T& moments, const Local<6, T>& x) const;
  static std::array<Wing, 2> wings(int k, const Local<6, T>& x);
  static void add_slope(const std::array<Wing, 2>& pair, const T& factor, Local<6, T>& gradient);
};
/// All such elements of a model, stored.
using DihedralEnergy = ElementEnergy<DihedralBending>;
static_assert(Energy<DihedralEnergy>);

/// One of the two triangles at a hinge: the edge p q and the tip a, counter-clockwise. ∂θ = ∂(own) +
/// ∂(other), where each triangle gives ∂θ/∂x_r = c_r (−n/h) to its three vertices [Tamstorf 2013].
template <class T>
struct DihedralBending<T>::Wing {
  Stencil<3> slots;  // of the plate's stencil: p, q, a
  Vec3T t, m, n;     // along the edge, to the tip, normal
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
    t = per_length * edge;
    n = or_zero(sound, doubled / area);
    m = n.cross(t);
    const T alpha = select(sound, T(arm.dot(edge) / squared), T(0));
    c = Vec3T(alpha - 1, -alpha, T(1));
  }

  Vec3T slope(int r) const { return (-c[r] * per_height) * n; }

  /// The symmetric part of ∂²θ/∂x_r∂x_s; the parts that are left out cancel between the two triangles:
  ///   c_r c_s (m nᵀ + n mᵀ)/h² + (c_r d_s t nᵀ + d_r c_s n tᵀ)/h + d_r d_s (m nᵀ + n mᵀ)/2,  d = (−1, 1,
  ///   0)/l.
  Mat3T curvature(int r, int s) const {
    const Vec3T d(-per_length, per_length, T(0));
    const Mat3T mn = m * n.transpose(), tn = t * n.transpose();
    return (c[r] * c[s] * per_height * per_height + d[r] * d[s] / 2) * (mn + mn.transpose()) +
           per_height * (c[r] * d[s] * tn + d[r] * c[s] * tn.transpose());
  }
};

template <class T>
std::array<typename DihedralBending<T>::Wing, 2> DihedralBending<T>::wings(int k, const Local<6, T>& x) {
  const auto [p, q, a, b] = hinge_slots(k);
  return {Wing({p, q, a}, x), Wing({q, p, b}, x)};
}

template <class T>
void DihedralBending<T>::add_slope(const std::array<Wing, 2>& pair, const T& factor, Local<6, T>& gradient) {
  for (const Wing& wing : pair)
    for (int r = 0; r < 3; ++r) gradient.col(wing.slots[r]) += factor * wing.slope(r);
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

// Σ moments_k ∂θ_k/∂x
template <class T>
Local<6, T> DihedralBending<T>::gradient_of(const Vec3T& moments, const Local<6, T>& x) const {
  Local<6, T> gradient = Local<6, T>::Zero();
  for (int k = 0; k < 3; ++k)
    if (!shape.is_border[k]) add_slope(wings(k, x), moments[k], gradient);
  return gradient;
}

template <class T>
Local<6, T> DihedralBending<T>::gradient(const Local<6, T>& x) const {
  return gradient_of(stiffness * (measure(x) - rest), x);
}

template <class T>
T DihedralBending<T>::condition(int, const Local<6, T>& x, Local<6, T>& gradient) const {
  using std::sqrt;
  const Vec3T bent = measure(x) - rest, moments = stiffness * bent;
  const T size = sqrt(positive(bent.dot(moments)));
  if (any(size > T(0)))
    gradient = gradient_of(or_zero(size > T(0), moments / size), x);
  else
    gradient.setZero();
  return size;
}

template <class T>
LocalHessian<6, T> DihedralBending<T>::hessian(const Local<6, T>& x) const {
  const Vec3T moments = stiffness * (measure(x) - rest);
  LocalHessian<6, T> h = hessian_psd(x);
  for (int k = 0; k < 3; ++k) {
    if (shape.is_border[k]) continue;
    for (const Wing& wing : wings(k, x))
      for (int r = 0; r < 3; ++r)
        for (int s = 0; s < 3; ++s)
          h.template block<3, 3>(3 * wing.slots[r], 3 * wing.slots[s]) += moments[k] * wing.curvature(r, s);
  }
  return h;
}

template <class T>
LocalHessian<6, T> DihedralBending<T>::hessian_psd(const Local<6, T>& x) const {
  Eigen::Matrix<T, 18, 3> slopes;
  for (int k = 0; k < 3; ++k) {
    Local<6, T> slope = Local<6, T>::Zero();
    if (!shape.is_border[k]) add_slope(wings(k, x), T(1), slope);
    slopes.col(k) = Eigen::Map<const Eigen::Matrix<T, 18, 1>>(slope.data());
  }
  return slopes * stiffness * slopes.transpose();
}

extern template struct DihedralBending<double>;

}  // namespace muslin

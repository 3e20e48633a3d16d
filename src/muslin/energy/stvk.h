#pragma once
#include "muslin/energy/membrane.h"

namespace muslin {

/// A triangle of the orthotropic St. Venant–Kirchhoff membrane: E = A/2 (G − R)ᵀ C (G − R), with Green's
/// strain G = ((|f_u|² − 1)/2, (|f_v|² − 1)/2, f_u·f_v) and R its rest. Under strong compression it softens,
/// as its kind does: a triangle that is pressed flat resists no further.
template <class T>
struct StVK {
  static constexpr std::string_view kName = "stvk";  ///< in lists and reports
  static constexpr int kSize = 3;                    ///< vertices of an element
  static constexpr int kConditions = 1;              ///< C = √(2E)
  using Number = T;                                  ///< double, or a pack or dual number
  using Vec3T = Eigen::Vector3<T>;                   ///< in space, or (uu, vv, uv)
  using Mat3T = Eigen::Matrix3<T>;                   ///< in space, or on strains
  using Shape = RestTriangleOf<T>;                   ///< the triangle at rest
  using Stiffness = Mat3T;                           ///< C [N/m]
  using Rest = Vec3T;                                ///< R, without unit

  const Shape& shape;      ///< the triangle at rest, in the plane of the weave
  const Mat3T& stiffness;  ///< C [N/m] on (G_uu, G_vv, 2 G_uv), positive semi-definite
  const Vec3T& rest;       ///< R

  /// Green's strain G, without unit.
  Rest measure(const Local<3, T>& x) const { return green_strain(deformation_gradient(shape, x)); }

  /// E [J]
  T value(const Local<3, T>& x) const {
    const Vec3T strain = measure(x) - rest;
    return T(0.5) * shape.area * strain.dot(stiffness * strain);
  }

  /// ∂E/∂x [N]
  Local<3, T> gradient(const Local<3, T>& x) const {
    const WarpWeft<T> f = deformation_gradient(shape, x);
    return gradient_on_vertices(shape, slope(f, stress_at(f)));
  }

  /// ∂Gᵀ C ∂G + S ⊗ I with the stress S.
  LocalHessian<3, T> hessian(const Local<3, T>& x) const {
    const WarpWeft<T> f = deformation_gradient(shape, x);
    return hessian_on_vertices(shape, curvature(f, stress_at(f)));
  }

  /// The same with the positive part of S.
  LocalHessian<3, T> hessian_psd(const Local<3, T>& x) const {
    const WarpWeft<T> f = deformation_gradient(shape, x);
    return hessian_on_vertices(shape, curvature(f, positive_part(stress_at(f))));
  }

  /// One vertex's part of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int slot, const Local<3, T>& x, Vec3T& gradient, Mat3T& block) const {
    const WarpWeft<T> f = deformation_gradient(shape, x);
    const Vec3T stress = stress_at(f);
    gradient += gradient_on_vertices(shape, slope(f, stress)).col(slot);
    block += hessian_on_vertex(shape, slot, curvature(f, positive_part(stress)));
  }

  /// c₁₁ α² + 2 c₁₂ αβ + c₂₂ β² ≤ (1 + ν)(c₁₁ α² + c₂₂ β²) for ν = c₁₂/√(c₁₁ c₂₂); the shear as in
  /// BaraffWitkin.
  Pairs<3, T> majorant() const {
    using std::sqrt;
    const Mat3T& c = stiffness;
    const T geometric = sqrt(c(0, 0) * c(1, 1));
    const T factor = 1 + select(geometric > T(0), T(c(0, 1) / geometric), T(0));
    return majorant_on_vertices(shape, larger(T(factor * c(0, 0)), T(2 * c(2, 2))),
                                larger(T(factor * c(1, 1)), T(2 * c(2, 2))));
  }

  /// C = √(2E) [√J], see energy_condition.
  T condition(int, const Local<3, T>& x, Local<3, T>& gradient) const {
    return energy_condition(*this, x, gradient);
  }
  /// 1, as C² is an energy.
  T compliance(int) const { return T(1); }

 private:
  static Vec3T green_strain(const WarpWeft<T>& f) {
    return {(f.u.squaredNorm() - 1) / 2, (f.v.squaredNorm() - 1) / 2, f.u.dot(f.v)};
  }
  // (S_uu, S_vv, S_uv) [N/m]
  Vec3T stress_at(const WarpWeft<T>& f) const { return stiffness * (green_strain(f) - rest); }

  // The derivative by F.
  static WarpWeft<T> slope(const WarpWeft<T>& f, const Vec3T& stress) {
    return {stress[0] * f.u + stress[2] * f.v, stress[1] * f.v + stress[2] * f.u};
  }

  WarpWeftHessian<T> curvature(const WarpWeft<T>& f, const Vec3T& stress) const {
    // Rows of ∂G by f_u are (f_u, 0, f_v), by f_v (0, f_v, f_u).
    Mat3T by_u, by_v;
    by_u << f.u, Vec3T::Zero(), f.v;
    by_v << Vec3T::Zero(), f.v, f.u;
    const Mat3T& c = stiffness;
    return {by_u * c * by_u.transpose() + stress[0] * Mat3T::Identity(),
            by_u * c * by_v.transpose() + stress[2] * Mat3T::Identity(),
            by_v * c * by_v.transpose() + stress[1] * Mat3T::Identity()};
  }

  // Of the symmetric matrix (s₀ s₂; s₂ s₁), whose eigenvalues are m ± d.
  static Vec3T positive_part(const Vec3T& s) {
    using std::sqrt;
    const T m = (s[0] + s[1]) / 2, half = (s[0] - s[1]) / 2, d = sqrt(half * half + s[2] * s[2]);
    const auto none_negative = m >= d, none_positive = m <= -d;
    if (all(none_negative)) return s;
    if (all(none_positive)) return Vec3T::Zero();
    const Vec3T part = (m + d) / (2 * d) * Vec3T(s[0] - m + d, s[1] - m + d, s[2]);
    return select(none_negative, s, select(none_positive, Vec3T(Vec3T::Zero()), part));
  }
};
/// All such triangles of a model, stored.
using StVKEnergy = ElementEnergy<StVK>;
static_assert(Energy<StVKEnergy>);

}  // namespace muslin

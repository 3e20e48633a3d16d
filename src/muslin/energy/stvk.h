#pragma once
#include <algorithm>
#include <vector>

#include "muslin/energy/membrane.h"

namespace muslin {

/// The orthotropic St. Venant–Kirchhoff membrane: E = A/2 (G − R)ᵀ C (G − R), with Green's strain
/// G = ((|f_u|² − 1)/2, (|f_v|² − 1)/2, f_u·f_v) and R its rest. Under strong compression it softens, as its
/// kind does: a triangle that is pressed flat resists no further.
struct StVKEnergy {
  static constexpr std::string_view kName = "stvk";
  static constexpr int kSize = 3, kConditions = 1;

  struct Element {
    RestTriangle triangle;
    Mat3 stiffness;            ///< C [N/m] on (G_uu, G_vv, 2 G_uv), positive semi-definite
    Vec3 rest = Vec3::Zero();  ///< R; damping moves it
  };
  std::vector<Stencil<3>> vertices;
  std::vector<Element> elements;
  std::vector<double> damping;  ///< τ [s]
  Incidence incidence;
  Colouring colouring;

  int size() const { return static_cast<int>(vertices.size()); }

  double value(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    const Vec3 strain = green_strain(deformation_gradient(element.triangle, x)) - element.rest;
    return 0.5 * element.triangle.area * strain.dot(element.stiffness * strain);
  }

  Local<3> gradient(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    const WarpWeft f = deformation_gradient(element.triangle, x);
    return gradient_on_vertices(element.triangle, slope(f, stress_at(element, f)));
  }

  /// ∂Gᵀ C ∂G + S ⊗ I with the stress S.
  LocalHessian<3> hessian(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    const WarpWeft f = deformation_gradient(element.triangle, x);
    return hessian_on_vertices(element.triangle, curvature(element, f, stress_at(element, f)));
  }

  /// The same with the positive part of S.
  LocalHessian<3> hessian_psd(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    const WarpWeft f = deformation_gradient(element.triangle, x);
    return hessian_on_vertices(element.triangle, curvature(element, f, positive_part(stress_at(element, f))));
  }

  /// One vertex's share of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int e, int slot, const Local<3>& x, Vec3& gradient, Mat3& block) const {
    const Element& element = elements[e];
    const WarpWeft f = deformation_gradient(element.triangle, x);
    const Vec3 stress = stress_at(element, f);
    gradient += gradient_on_vertices(element.triangle, slope(f, stress)).col(slot);
    block += hessian_on_vertex(element.triangle, slot, curvature(element, f, positive_part(stress)));
  }

  /// c₁₁ α² + 2 c₁₂ αβ + c₂₂ β² ≤ (1 + ν)(c₁₁ α² + c₂₂ β²) for ν = c₁₂/√(c₁₁ c₂₂); the shear as in
  /// BaraffWitkinEnergy.
  Pairs<3> majorant(int e) const {
    const Mat3& c = elements[e].stiffness;
    const double geometric = std::sqrt(c(0, 0) * c(1, 1));
    const double factor = 1 + (geometric > 0 ? c(0, 1) / geometric : 0);
    return majorant_on_vertices(elements[e].triangle, std::max(factor * c(0, 0), 2 * c(2, 2)),
                                std::max(factor * c(1, 1), 2 * c(2, 2)));
  }

  double condition(int e, int, const Local<3>& x, Local<3>& gradient) const {
    return energy_condition(*this, e, x, gradient);
  }
  double compliance(int, int) const { return 1; }

  void damp(const Points& before, double h) {
    for (int e = 0; e < size(); ++e) {
      Element& element = elements[e];
      const Vec3 start = green_strain(deformation_gradient(element.triangle, gather(before, vertices[e])));
      element.rest += damping_shift(damping[e], h) * (start - element.rest);
      element.stiffness *= 1 + damping[e] / h;
    }
  }

 private:
  static Vec3 green_strain(const WarpWeft& f) {
    return {(f.u.squaredNorm() - 1) / 2, (f.v.squaredNorm() - 1) / 2, f.u.dot(f.v)};
  }
  // (S_uu, S_vv, S_uv) [N/m]
  static Vec3 stress_at(const Element& element, const WarpWeft& f) {
    return element.stiffness * (green_strain(f) - element.rest);
  }

  // The derivative by F.
  static WarpWeft slope(const WarpWeft& f, const Vec3& stress) {
    return {stress[0] * f.u + stress[2] * f.v, stress[1] * f.v + stress[2] * f.u};
  }

  static WarpWeftHessian curvature(const Element& element, const WarpWeft& f, const Vec3& stress) {
    // Rows of ∂G by f_u are (f_u, 0, f_v), by f_v (0, f_v, f_u).
    Mat3 by_u, by_v;
    by_u << f.u, Vec3::Zero(), f.v;
    by_v << Vec3::Zero(), f.v, f.u;
    const Mat3& c = element.stiffness;
    return {by_u * c * by_u.transpose() + stress[0] * Mat3::Identity(),
            by_u * c * by_v.transpose() + stress[2] * Mat3::Identity(),
            by_v * c * by_v.transpose() + stress[1] * Mat3::Identity()};
  }

  // Of the symmetric matrix (s₀ s₂; s₂ s₁), whose eigenvalues are m ± d.
  static Vec3 positive_part(const Vec3& s) {
    const double m = (s[0] + s[1]) / 2, d = std::hypot((s[0] - s[1]) / 2, s[2]);
    if (m >= d) return s;
    if (m <= -d) return Vec3::Zero();
    return (m + d) / (2 * d) * Vec3(s[0] - m + d, s[1] - m + d, s[2]);
  }
};
static_assert(Energy<StVKEnergy>);

}  // namespace muslin

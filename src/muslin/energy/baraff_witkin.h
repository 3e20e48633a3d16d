#pragma once
#include <algorithm>
#include <vector>

#include "muslin/energy/membrane.h"
#include "muslin/energy/strain_limit.h"

namespace muslin {

/// Woven cloth on triangles [Baraff 1998, §4.2–4.3]. With F = (f_u, f_v), per area:
///
///   k_u/2 (|f_u| − 1)² + k_v/2 (|f_v| − 1)² + k_s/2 (f_u·f_v)² + r k_u/3 (|f_u| − 1)³₊ + r k_v/3 (|f_v| −
///   1)³₊
///
/// The last two stiffen: tension gains r·strain² times the stiffness beyond rest. With a strain limit,
/// threads have a barrier besides: k_u φ(|f_u| − 1) + k_v φ(|f_v| − 1), see strain_limit.h.
struct BaraffWitkinEnergy {
  static constexpr std::string_view kName = "baraff_witkin";
  static constexpr int kSize = 3, kConditions = 3;

  struct Element {
    RestTriangle triangle;
    Vec3 stiffness;                                        ///< k_u, k_v, k_s [N/m]
    Vec3 rest{1, 1, 0};                                    ///< of |f_u|, |f_v| and f_u·f_v; damping moves it
    Eigen::Vector2d stiffening = Eigen::Vector2d::Zero();  ///< r k_u, r k_v [N/m]
    StrainLimit limit = {};                                ///< of warp and weft
    Eigen::Vector2d limiting = Eigen::Vector2d::Zero();    ///< k_u, k_v of its barrier [N/m]; not damped
  };
  std::vector<Stencil<3>> vertices;
  std::vector<Element> elements;
  std::vector<double> damping;  ///< τ [s]
  Incidence incidence;
  Colouring colouring;

  int size() const { return static_cast<int>(vertices.size()); }

  /// Whether any element stiffens; whether any has a strain limit.
  bool stiffens() const {
    return std::any_of(elements.begin(), elements.end(),
                       [](const Element& e) { return !e.stiffening.isZero(0); });
  }
  bool is_limited() const {
    return std::any_of(elements.begin(), elements.end(),
                       [](const Element& e) { return !e.limiting.isZero(0); });
  }

  double value(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    const Strains strains(element, x);
    double value = 0.5 * element.stiffness.dot((strains.measures() - element.rest).cwiseAbs2());
    for (int i = 0; i < 2; ++i) {
      value += element.stiffening[i] / 3 * std::pow(strains.excess(i), 3);
      if (element.limit.acts(strains.strain(i)))
        value += element.limiting[i] * element.limit.barrier(strains.strain(i)).value;
    }
    return element.triangle.area * value;
  }

  Local<3> gradient(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    return gradient_on_vertices(element.triangle, stress(element, Strains(element, x)));
  }

  LocalHessian<3> hessian(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    const Strains strains(element, x);
    const double shear = element.stiffness[2] * (strains.shear - element.rest[2]);
    return hessian_on_vertices(element.triangle, curvature(element, strains, across(element, strains, 0),
                                                           across(element, strains, 1), 0, shear));
  }

  /// Every term without its negative part: what resists turning a compressed thread, and of the shear's
  /// σ (δf_u·δf_v), whose eigenvalues are ±σ, the positive half.
  LocalHessian<3> hessian_psd(int e, const Local<3>& x) const {
    const Element& element = elements[e];
    return hessian_on_vertices(element.triangle, curvature_psd(element, Strains(element, x)));
  }

  /// One vertex's share of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int e, int slot, const Local<3>& x, Vec3& gradient, Mat3& block) const {
    const Element& element = elements[e];
    const Strains strains(element, x);
    gradient += gradient_on_vertices(element.triangle, stress(element, strains)).col(slot);
    block += hessian_on_vertex(element.triangle, slot, curvature_psd(element, strains));
  }

  /// Neither stiffening nor the limit is in it: both begin beyond rest.
  /// (q_v·a + q_u·b)² ≤ 2 (q_v·a)² + 2 (q_u·b)² for unit vectors q_u, q_v at right angles.
  Pairs<3> majorant(int e) const {
    const Vec3& k = elements[e].stiffness;
    return majorant_on_vertices(elements[e].triangle, std::max(k[0], 2 * k[2]), std::max(k[1], 2 * k[2]));
  }

  /// C = √A (|f_u| − 1), √A (|f_v| − 1), √A f_u·f_v; stiffening and limit have no part in them.
  double condition(int e, int condition, const Local<3>& x, Local<3>& gradient) const {
    const RestTriangle& triangle = elements[e].triangle;
    const Vec3& rest = elements[e].rest;
    const double root = std::sqrt(triangle.area);
    if (condition == 2) {
      const WarpWeft f = deformation_gradient(triangle, x);
      for (int i = 0; i < 3; ++i)
        gradient.col(i) = (root * triangle.u[i]) * f.v + (root * triangle.v[i]) * f.u;
      return root * (f.u.dot(f.v) - rest[2]);
    }
    const Vec3& across = condition == 0 ? triangle.u : triangle.v;
    const Vec3 f = x * across;
    const double length = f.norm();
    const Vec3 direction = length > 0 ? Vec3((root / length) * f) : Vec3::Zero();
    for (int i = 0; i < 3; ++i) gradient.col(i) = across[i] * direction;
    return root * (length - rest[condition]);
  }

  double compliance(int e, int condition) const { return 1 / elements[e].stiffness[condition]; }

  void damp(const Points& before, double h) {
    for (int e = 0; e < size(); ++e) {
      Element& element = elements[e];
      const Vec3 start = Strains(element, gather(before, vertices[e])).measures();
      element.rest += damping_shift(damping[e], h) * (start - element.rest);
      element.stiffness *= 1 + damping[e] / h;
    }
  }

  /// The larger strain of warp and weft, as far as they have stiffness, as a share of their limit; nothing,
  /// or less, without one.
  double limit_share(int e, const Local<3>& x) const {
    const Strains strains(elements[e], x);
    const auto held = [&](int i) { return elements[e].limiting[i] > 0 ? strains.strain(i) : 0; };
    return std::max(held(0), held(1)) / elements[e].limit.strain;
  }

 private:
  struct Strains {
    WarpWeft f, direction;  // direction: f_u/|f_u|, f_v/|f_v|, or zero
    double length[2];       // |f_u|, |f_v|
    double shear;           // f_u·f_v

    Strains(const Element& element, const Local<3>& x)
        : f(deformation_gradient(element.triangle, x)), length{f.u.norm(), f.v.norm()}, shear(f.u.dot(f.v)) {
      direction.u = length[0] > 0 ? Vec3((1 / length[0]) * f.u) : Vec3::Zero();
      direction.v = length[1] > 0 ? Vec3((1 / length[1]) * f.v) : Vec3::Zero();
    }
    Vec3 measures() const { return {length[0], length[1], shear}; }
    double strain(int i) const { return length[i] - 1; }
    double excess(int i) const { return std::max(0.0, strain(i)); }
  };

  // Tension of the warp (0) or weft (1) [N/m].
  static double tension(const Element& element, const Strains& strains, int i) {
    const double strain = strains.strain(i), excess = strains.excess(i);
    const double pull = element.stiffness[i] * (strains.length[i] - element.rest[i]) +
                        element.stiffening[i] * excess * excess;
    if (!element.limit.acts(strain)) return pull;
    return pull + element.limiting[i] * element.limit.barrier(strain).slope;
  }
  // The tension's derivative by strain [N/m].
  static double along(const Element& element, const Strains& strains, int i) {
    const double stiffness = element.stiffness[i] + 2 * element.stiffening[i] * strains.excess(i);
    if (!element.limit.acts(strains.strain(i))) return stiffness;
    return stiffness + element.limiting[i] * element.limit.barrier(strains.strain(i)).curvature;
  }
  // Tension over length: the curvature across a thread.
  static double across(const Element& element, const Strains& strains, int i) {
    return strains.length[i] > 0 ? tension(element, strains, i) / strains.length[i] : 0;
  }

  // The derivative by F [N/m].
  static WarpWeft stress(const Element& element, const Strains& strains) {
    const double shear = element.stiffness[2] * (strains.shear - element.rest[2]);
    return {tension(element, strains, 0) * strains.direction.u + shear * strains.f.v,
            tension(element, strains, 1) * strains.direction.v + shear * strains.f.u};
  }

  static WarpWeftHessian curvature_psd(const Element& element, const Strains& strains) {
    const double half = element.stiffness[2] * (strains.shear - element.rest[2]) / 2;
    return curvature(element, strains, std::max(0.0, across(element, strains, 0)),
                     std::max(0.0, across(element, strains, 1)), std::abs(half), half);
  }

  // The second derivative by F. `diagonal` and `mixed` are the factors of I that the shear's own curvature
  // has in uu and vv, and in uv.
  static WarpWeftHessian curvature(const Element& element, const Strains& strains, double across_u,
                                   double across_v, double diagonal, double mixed) {
    const auto stretch = [&](int i, const Vec3& q, double across) -> Mat3 {
      return (along(element, strains, i) - across) * q * q.transpose() + across * Mat3::Identity();
    };
    const double k = element.stiffness[2];
    const auto& [fu, fv] = strains.f;
    return {
        stretch(0, strains.direction.u, across_u) + k * fv * fv.transpose() + diagonal * Mat3::Identity(),
        k * fv * fu.transpose() + mixed * Mat3::Identity(),
        stretch(1, strains.direction.v, across_v) + k * fu * fu.transpose() + diagonal * Mat3::Identity()};
  }
};
static_assert(Energy<BaraffWitkinEnergy>);

}  // namespace muslin

#pragma once
#include <algorithm>

#include "muslin/energy/membrane.h"
#include "muslin/energy/strain_limit.h"

namespace muslin {

/// A triangle of woven cloth [Baraff 1998, §4.2–4.3]. With F = (f_u, f_v), per area:
///
///   k_u/2 (|f_u| − 1)² + k_v/2 (|f_v| − 1)² + k_s/2 (f_u·f_v)² + r k_u/3 (|f_u| − 1)³₊ + r k_v/3 (|f_v| −
///   1)³₊
///
/// The last two stiffen: tension gains r·strain² times the stiffness beyond rest. With a strain limit,
/// threads have a barrier besides: k_u φ(|f_u| − 1) + k_v φ(|f_v| − 1), see strain_limit.h.
template <class T>
struct BaraffWitkin {
  static constexpr std::string_view kName = "baraff_witkin";  ///< in lists and reports
  static constexpr int kSize = 3;                             ///< vertices of an element
  static constexpr int kConditions = 3;                       ///< warp, weft and shear
  using Number = T;                                           ///< double, or a pack or dual number
  using Vec3T = Eigen::Vector3<T>;                            ///< in space, or (warp, weft, shear)
  /// What is constant during a run.
  struct Shape {
    RestTriangleOf<T> triangle;                                ///< at rest, in the plane of the weave
    Eigen::Vector2<T> stiffening = Eigen::Vector2<T>::Zero();  ///< r k_u, r k_v [N/m]
    StrainLimit<T> limit = {};                                 ///< of warp and weft
    Eigen::Vector2<T> limiting = Eigen::Vector2<T>::Zero();    ///< k_u, k_v of its barrier [N/m]
  };
  using Stiffness = Vec3T;  ///< (k_u, k_v, k_s) [N/m]
  using Rest = Vec3T;       ///< of (|f_u|, |f_v|, f_u·f_v)

  const Shape& shape;      ///< none of it is damped
  const Vec3T& stiffness;  ///< k_u, k_v, k_s [N/m]
  const Vec3T& rest;       ///< of |f_u|, |f_v| and f_u·f_v

  /// The rest state of cloth without damping: threads of their own length at right angles.
  static Rest unstrained() { return Rest(T(1), T(1), T(0)); }

  /// (|f_u|, |f_v|, f_u·f_v), without unit: stretches of warp and weft, and the shear.
  Rest measure(const Local<3, T>& x) const { return Strains(shape.triangle, x).measures(); }

  /// E [J]: the area times the density above.
  T value(const Local<3, T>& x) const {
    const Strains strains(shape.triangle, x);
    T value = T(0.5) * stiffness.dot((strains.measures() - rest).cwiseAbs2());
    for (int i = 0; i < 2; ++i) {
      const T excess = strains.excess(i);
      value += shape.stiffening[i] / 3 * (excess * excess * excess);
      const auto acts = shape.limit.acts(strains.strain(i));
      if (any(acts))
        value += select(acts, T(shape.limiting[i] * shape.limit.barrier(strains.strain(i)).value), T(0));
    }
    return shape.triangle.area * value;
  }

  /// ∂E/∂x [N]
  Local<3, T> gradient(const Local<3, T>& x) const {
    return gradient_on_vertices(shape.triangle, stress(Strains(shape.triangle, x)));
  }

  /// ∂²E/∂x² [N/m], exact, with what stiffening and the limit add.
  LocalHessian<3, T> hessian(const Local<3, T>& x) const {
    const Strains strains(shape.triangle, x);
    const T shear = stiffness[2] * (strains.shear - rest[2]);
    return hessian_on_vertices(shape.triangle,
                               curvature(strains, across(strains, 0), across(strains, 1), T(0), shear));
  }

  /// Every term without its negative part: what resists turning a compressed thread, and of the shear's
  /// σ (δf_u·δf_v), whose eigenvalues are ±σ, the positive half.
  LocalHessian<3, T> hessian_psd(const Local<3, T>& x) const {
    return hessian_on_vertices(shape.triangle, curvature_psd(Strains(shape.triangle, x)));
  }

  /// One vertex's part of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int slot, const Local<3, T>& x, Vec3T& gradient, Eigen::Matrix3<T>& block) const {
    const Strains strains(shape.triangle, x);
    gradient += gradient_on_vertices(shape.triangle, stress(strains)).col(slot);
    block += hessian_on_vertex(shape.triangle, slot, curvature_psd(strains));
  }

  /// Neither stiffening nor the limit is in it: both begin beyond rest.
  /// (q_v·a + q_u·b)² ≤ 2 (q_v·a)² + 2 (q_u·b)² for unit vectors q_u, q_v at right angles.
  Pairs<3, T> majorant() const {
    const Vec3T& k = stiffness;
    return majorant_on_vertices(shape.triangle, larger(k[0], T(2 * k[2])), larger(k[1], T(2 * k[2])));
  }

  /// C = √A (|f_u| − 1), √A (|f_v| − 1), √A f_u·f_v; stiffening and limit have no part in them.
  T condition(int condition, const Local<3, T>& x, Local<3, T>& gradient) const {
    using std::sqrt;
    const RestTriangleOf<T>& triangle = shape.triangle;
    const T root = sqrt(triangle.area);
    if (condition == 2) {
      const WarpWeft<T> f = deformation_gradient(triangle, x);
      for (int i = 0; i < 3; ++i)
        gradient.col(i) = (root * triangle.u[i]) * f.v + (root * triangle.v[i]) * f.u;
      return root * (f.u.dot(f.v) - rest[2]);
    }
    const Vec3T& across = condition == 0 ? triangle.u : triangle.v;
    const Vec3T f = x * across;
    const T length = f.norm();
    const Vec3T direction = or_zero(length > T(0), (root / length) * f);
    for (int i = 0; i < 3; ++i) gradient.col(i) = across[i] * direction;
    return root * (length - rest[condition]);
  }

  /// 1/k_u, 1/k_v or 1/k_s [m/N].
  T compliance(int condition) const { return 1 / stiffness[condition]; }

  /// The larger strain of warp and weft, as far as they have stiffness, as a fraction of their limit;
  /// nothing, or less, without one.
  T limit_ratio(const Local<3, T>& x) const {
    const Strains strains(shape.triangle, x);
    const auto held = [&](int i) { return select(shape.limiting[i] > T(0), strains.strain(i), T(0)); };
    return larger(held(0), held(1)) / shape.limit.strain;
  }

 private:
  struct Strains {
    WarpWeft<T> f, direction;  // direction: f_u/|f_u|, f_v/|f_v|, or zero
    T length[2];               // |f_u|, |f_v|
    T shear;                   // f_u·f_v

    Strains(const RestTriangleOf<T>& triangle, const Local<3, T>& x)
        : f(deformation_gradient(triangle, x)), length{f.u.norm(), f.v.norm()}, shear(f.u.dot(f.v)) {
      direction.u = or_zero(length[0] > T(0), (1 / length[0]) * f.u);
      direction.v = or_zero(length[1] > T(0), (1 / length[1]) * f.v);
    }
    Vec3T measures() const { return {length[0], length[1], shear}; }
    T strain(int i) const { return length[i] - 1; }
    T excess(int i) const { return positive(strain(i)); }
  };

  // Tension of the warp (0) or weft (1) [N/m].
  T tension(const Strains& strains, int i) const {
    const T strain = strains.strain(i), excess = strains.excess(i);
    const T pull = stiffness[i] * (strains.length[i] - rest[i]) + shape.stiffening[i] * excess * excess;
    const auto acts = shape.limit.acts(strain);
    if (!any(acts)) return pull;
    return pull + select(acts, T(shape.limiting[i] * shape.limit.barrier(strain).slope), T(0));
  }
  // The tension's derivative by strain [N/m].
  T along(const Strains& strains, int i) const {
    const T elastic = stiffness[i] + 2 * shape.stiffening[i] * strains.excess(i);
    const auto acts = shape.limit.acts(strains.strain(i));
    if (!any(acts)) return elastic;
    return elastic +
           select(acts, T(shape.limiting[i] * shape.limit.barrier(strains.strain(i)).curvature), T(0));
  }
  // Tension over length: the curvature across a thread.
  T across(const Strains& strains, int i) const {
    return select(strains.length[i] > T(0), T(tension(strains, i) / strains.length[i]), T(0));
  }

  // The derivative by F [N/m].
  WarpWeft<T> stress(const Strains& strains) const {
    const T shear = stiffness[2] * (strains.shear - rest[2]);
    return {tension(strains, 0) * strains.direction.u + shear * strains.f.v,
            tension(strains, 1) * strains.direction.v + shear * strains.f.u};
  }

  WarpWeftHessian<T> curvature_psd(const Strains& strains) const {
    using std::abs;
    const T half = stiffness[2] * (strains.shear - rest[2]) / 2;
    return curvature(strains, positive(across(strains, 0)), positive(across(strains, 1)), abs(half), half);
  }

  // The second derivative by F. `diagonal` and `mixed` are the factors of I that the shear's own curvature
  // has in uu and vv, and in uv.
  WarpWeftHessian<T> curvature(const Strains& strains, const T& across_u, const T& across_v,
                               const T& diagonal, const T& mixed) const {
    using Mat3T = Eigen::Matrix3<T>;
    const auto stretch = [&](int i, const Vec3T& q, const T& across) -> Mat3T {
      return (along(strains, i) - across) * q * q.transpose() + across * Mat3T::Identity();
    };
    const T k = stiffness[2];
    const auto& [fu, fv] = strains.f;
    return {
        stretch(0, strains.direction.u, across_u) + k * fv * fv.transpose() + diagonal * Mat3T::Identity(),
        k * fv * fu.transpose() + mixed * Mat3T::Identity(),
        stretch(1, strains.direction.v, across_v) + k * fu * fu.transpose() + diagonal * Mat3T::Identity()};
  }
};
/// All such triangles of a model, stored.
using BaraffWitkinEnergy = ElementEnergy<BaraffWitkin>;
static_assert(Energy<BaraffWitkinEnergy>);

/// Whether any triangle stiffens (Fabric::stiffening).
inline bool stiffens(const BaraffWitkinEnergy& energy) {
  const auto& shapes = energy.shapes();
  return std::any_of(shapes.begin(), shapes.end(),
                     [](const auto& shape) { return !shape.stiffening.isZero(0); });
}
/// Whether any triangle has a strain limit (Fabric::strain_limit).
inline bool is_limited(const BaraffWitkinEnergy& energy) {
  const auto& shapes = energy.shapes();
  return std::any_of(shapes.begin(), shapes.end(),
                     [](const auto& shape) { return !shape.limiting.isZero(0); });
}

}  // namespace muslin

#pragma once
#include "muslin/energy/storage.h"

namespace muslin {

/// A stitch: a thread between two vertices, slack up to a length L that the run shortens (Controls): E = ½ k
/// (C − rest)² with C = max(0, |d| − L), d = x₁ − x₀.
template <class T>
struct Stitch {
  static constexpr std::string_view kName = "stitches";  ///< in lists and reports
  static constexpr int kSize = 2;                        ///< the two ends
  static constexpr int kConditions = 1;                  ///< the stretch
  static constexpr bool kIsMembrane = false;             ///< it is no part of the cloth's surface
  using Number = T;                                      ///< double, or a pack or dual number
  using Shape = T;                                       ///< L [m]; infinite: it does not act
  using Stiffness = T;                                   ///< k [N/m]
  using Rest = T;                                        ///< what damping moves C's zero to [m]

  const T& shape;      ///< L [m]
  const T& stiffness;  ///< k [N/m]
  const T& rest;       ///< [m]

  /// C [m]
  T measure(const Local<2, T>& x) const { return positive(T((x.col(1) - x.col(0)).norm() - shape)); }

  /// E [J]
  T value(const Local<2, T>& x) const {
    const T stretch = measure(x) - rest;
    return T(0.5) * stiffness * stretch * stretch;
  }

  /// ∂E/∂x [N], zero where it is slack.
  Local<2, T> gradient(const Local<2, T>& x) const {
    Local<2, T> direction, gradient;
    const T tension = stiffness * condition(0, x, direction);
    for (int end = 0; end < 2; ++end) gradient.col(end) = tension * direction.col(end);
    return gradient;
  }

  /// k [ d̂d̂ᵀ + (C − rest)/|d| (I − d̂d̂ᵀ) ] where it is taut, else zero; with L = 0 that is k I.
  LocalHessian<2, T> hessian(const Local<2, T>& x) const { return hessian_with(x, across(x)); }

  /// Damping may push; what curves down across the thread then is dropped.
  LocalHessian<2, T> hessian_psd(const Local<2, T>& x) const { return hessian_with(x, positive(across(x))); }

  /// k (1 −1; −1 1) [N/m], a bound at any length.
  Pairs<2, T> majorant() const { return (Pairs<2, T>() << T(1), T(-1), T(-1), T(1)).finished() * stiffness; }

  /// C − rest [m], and ∂C/∂x, zero where it is slack.
  T condition(int, const Local<2, T>& x, Local<2, T>& direction) const {
    const Eigen::Vector3<T> d = x.col(1) - x.col(0);
    const T length = d.norm();
    direction.col(1) = or_zero(length > shape, (1 / length) * d);
    direction.col(0) = -direction.col(1);
    return measure(x) - rest;
  }

  /// 1/k [m/N].
  T compliance(int) const { return 1 / stiffness; }

 private:
  T across(const Local<2, T>& x) const {
    const T length = (x.col(1) - x.col(0)).norm();
    return select(length > shape, T((measure(x) - rest) / length), T(0));
  }
  LocalHessian<2, T> hessian_with(const Local<2, T>& x, const T& across) const {
    Local<2, T> direction;
    condition(0, x, direction);
    const Eigen::Vector3<T> d = direction.col(1);
    LocalHessian<2, T> h;
    for (int axis = 0; axis < 3; ++axis) {
      Eigen::Vector3<T> column = (stiffness * (1 - across) * d[axis]) * d;
      column[axis] += stiffness * across;
      h.col(axis) << column, -column;
      h.col(3 + axis) = -h.col(axis);
    }
    return h;
  }
};
/// All stitches of a model, stored.
using StitchEnergy = ElementEnergy<Stitch>;
static_assert(Energy<StitchEnergy>);

}  // namespace muslin

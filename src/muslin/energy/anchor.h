#pragma once
#include "muslin/energy/storage.h"

namespace muslin {

/// A spring without length from a vertex to a place: E = ½ k |x − p|². What a hand pulls with.
template <class T>
struct Anchor {
  static constexpr std::string_view kName = "pull";  ///< in lists and reports
  static constexpr int kSize = 1;                    ///< vertices of an element
  static constexpr int kConditions = 3;              ///< x, y and z
  static constexpr bool kIsMembrane = false;         ///< it holds a place
  static constexpr bool kConstantHessian = true;     ///< k I
  using Number = T;                                  ///< double, or a pack or dual number
  struct Shape {};                                   ///< an anchor has none
  using Stiffness = T;                               ///< k [N/m]
  using Rest = Eigen::Vector3<T>;                    ///< p [m]

  const Shape& shape;             ///< empty
  const T& stiffness;             ///< k [N/m]
  const Eigen::Vector3<T>& rest;  ///< p [m]

  /// The place that E compares with p: x [m].
  Rest measure(const Local<1, T>& x) const { return x; }

  /// E [J]
  T value(const Local<1, T>& x) const { return T(0.5) * stiffness * (x - rest).squaredNorm(); }
  /// ∂E/∂x = k (x − p) [N]
  Local<1, T> gradient(const Local<1, T>& x) const { return stiffness * (x - rest); }
  /// k I [N/m]
  LocalHessian<1, T> hessian(const Local<1, T>&) const { return stiffness * LocalHessian<1, T>::Identity(); }
  /// The same: k I is positive.
  LocalHessian<1, T> hessian_psd(const Local<1, T>& x) const { return hessian(x); }
  /// k [N/m]
  Pairs<1, T> majorant() const { return Pairs<1, T>(stiffness); }

  /// C = x − p along an axis [m]; `direction` becomes ∂C/∂x, the axis.
  T condition(int axis, const Local<1, T>& x, Local<1, T>& direction) const {
    direction = Eigen::Vector3<T>::Unit(axis);
    return x[axis] - rest[axis];
  }
  /// 1/k [m/N] of every axis.
  T compliance(int) const { return 1 / stiffness; }
};
/// All pulls of a step, stored.
using AnchorEnergy = ElementEnergy<Anchor>;
static_assert(Energy<AnchorEnergy>);

}  // namespace muslin

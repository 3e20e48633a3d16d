#pragma once
#include "muslin/energy/storage.h"

namespace muslin {

/// A spring without length from a vertex to a place: E = ½ k |x − p|². What a hand pulls with.
template <class T>
struct Anchor {
  static constexpr std::string_view kName = "pull";
  static constexpr int kSize = 1, kConditions = 3;  // x, y, z
  static constexpr bool kConstantHessian = true;
  using Number = T;
  struct Shape {};
  using Stiffness = T;
  using Rest = Eigen::Vector3<T>;

  const Shape& shape;
  const T& stiffness;             ///< k [N/m]
  const Eigen::Vector3<T>& rest;  ///< p [m]

  Rest measure(const Local<1, T>& x) const { return x; }

  T value(const Local<1, T>& x) const { return T(0.5) * stiffness * (x - rest).squaredNorm(); }
  Local<1, T> gradient(const Local<1, T>& x) const { return stiffness * (x - rest); }
  LocalHessian<1, T> hessian(const Local<1, T>&) const { return stiffness * LocalHessian<1, T>::Identity(); }
  LocalHessian<1, T> hessian_psd(const Local<1, T>& x) const { return hessian(x); }
  Pairs<1, T> majorant() const { return Pairs<1, T>(stiffness); }

  /// C = x − p along one axis [m]
  T condition(int axis, const Local<1, T>& x, Local<1, T>& direction) const {
    direction = Eigen::Vector3<T>::Unit(axis);
    return x[axis] - rest[axis];
  }
  T compliance(int) const { return 1 / stiffness; }
};
using AnchorEnergy = ElementEnergy<Anchor>;
static_assert(Energy<AnchorEnergy>);

}  // namespace muslin

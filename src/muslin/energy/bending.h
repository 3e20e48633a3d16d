#pragma once
#include "muslin/energy/plate.h"

namespace muslin {

/// Bending of cloth that is flat at rest and bends without stretch, so that the energy is quadratic and its
/// matrix constant [Bergou 2006], in the form of plate.h: E = ½ s |x Rᵀ − y₀|².
///
/// Damping moves y₀ towards x Rᵀ before the step. It takes any change of the vectors b for a change of
/// curvature, so it also resists, a little, that curved cloth turns; DihedralBending does not.
template <class T>
struct QuadraticBending {
  static constexpr std::string_view kName = "quadratic_bending";  ///< in lists and reports
  static constexpr int kSize = 6;                 ///< a triangle and the tips of its neighbours (plate.h)
  static constexpr int kConditions = 1;           ///< C = |y|
  static constexpr bool kIsMembrane = false;      ///< it bends
  static constexpr bool kConstantHessian = true;  ///< s RᵀR ⊗ I
  static constexpr bool kRestsAtZero = true;      ///< y₀ is stored only once damping moves it
  using Number = T;                               ///< double, or a pack or dual number
  using Mat3T = Eigen::Matrix3<T>;                ///< three vectors, one a root of the plate's form
  using Shape = Eigen::Matrix<T, 3, 6>;           ///< R
  using Stiffness = T;                            ///< s, without unit
  using Rest = Mat3T;                             ///< y₀ [√J]

  const Shape& shape;  ///< R [√(N/m)] of the flat rest shape
  const T& stiffness;  ///< s, 1 unless damping adds to it
  const Mat3T* rest;   ///< y₀ [√J]; null: zero

  /// x Rᵀ [√J], zero where the cloth is flat.
  Rest measure(const Local<6, T>& x) const { return x * shape.transpose(); }

  /// E [J]
  T value(const Local<6, T>& x) const { return T(0.5) * stiffness * bent(x).squaredNorm(); }
  /// ∂E/∂x [N]
  Local<6, T> gradient(const Local<6, T>& x) const { return stiffness * bent(x) * shape; }

  /// s RᵀR ⊗ I, constant and positive semi-definite.
  LocalHessian<6, T> hessian(const Local<6, T>&) const {
    const Pairs<6, T> pairs = majorant();
    LocalHessian<6, T> h = LocalHessian<6, T>::Zero();
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        for (int axis = 0; axis < 3; ++axis) h(3 * i + axis, 3 * j + axis) = pairs(i, j);
    return h;
  }
  /// The same.
  LocalHessian<6, T> hessian_psd(const Local<6, T>& x) const { return hessian(x); }
  /// s RᵀR [N/m], exactly the Hessian for every axis.
  Pairs<6, T> majorant() const {
    const Shape scaled = stiffness * shape;
    return scaled.transpose() * shape;
  }

  /// One vertex's part of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int slot, const Local<6, T>& x, Eigen::Vector3<T>& gradient, Mat3T& block) const {
    const Eigen::Vector3<T> column = shape.col(slot);
    gradient += stiffness * (bent(x) * column);
    block.diagonal().array() += stiffness * column.squaredNorm();
  }

  /// C = |y|; without curvature it has no direction and gives zero.
  T condition(int, const Local<6, T>& x, Local<6, T>& gradient) const {
    const Mat3T y = bent(x);
    const T size = y.norm();
    gradient = select(size > T(0), T(1 / size), T(0)) * y * shape;
    return size;
  }
  /// 1/s, without unit, as C² is an energy.
  T compliance(int) const { return 1 / stiffness; }

 private:
  Mat3T bent(const Local<6, T>& x) const {
    if (!rest) return x * shape.transpose();
    return x * shape.transpose() - *rest;
  }
};
/// All such elements of a model, stored.
using BendingEnergy = ElementEnergy<QuadraticBending>;
static_assert(Energy<BendingEnergy>);

}  // namespace muslin

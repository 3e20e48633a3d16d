#pragma once
#include "muslin/energy/storage.h"

namespace muslin {

/// What a spring stands for. A scene may leave out a class (Acting).
enum class SpringClass {
  structural,  ///< along warp or weft
  shear,       ///< across a cell
  bend,        ///< over two cells, or over a hinge
};

/// A spring: E = ½ k (|d| − L)² with d = x₁ − x₀.
template <class T>
struct Spring {
  static constexpr std::string_view kName = "springs";  ///< in lists and reports
  static constexpr int kSize = 2;                       ///< the two ends
  static constexpr int kConditions = 1;                 ///< the stretch
  using Number = T;                                     ///< double, or a pack or dual number
  /// What is constant during a run.
  struct Shape {
    SpringClass kind;  ///< forces do not depend on it
  };
  using Stiffness = T;  ///< k [N/m]
  using Rest = T;       ///< L [m]

  const Shape& shape;  ///< the class of the spring
  const T& stiffness;  ///< k [N/m]
  const T& rest;       ///< L [m]

  /// |d| [m]
  T measure(const Local<2, T>& x) const { return (x.col(1) - x.col(0)).norm(); }

  /// E [J]
  T value(const Local<2, T>& x) const {
    const T stretch = measure(x) - rest;
    return T(0.5) * stiffness * stretch * stretch;
  }

  /// ∂E/∂x [N]: the tension along d, and its opposite; zero where the ends coincide.
  Local<2, T> gradient(const Local<2, T>& x) const {
    Local<2, T> direction, gradient;
    const T tension = stiffness * condition(0, x, direction);
    gradient.col(1) = tension * direction.col(1);  // column by column: docs/decisions, small blocks
    gradient.col(0) = -gradient.col(1);
    return gradient;
  }

  /// (1 −1; −1 1) ⊗ hessian_block
  LocalHessian<2, T> hessian(const Local<2, T>& x) const { return of_both_ends(hessian_block(x)); }
  /// (1 −1; −1 1) ⊗ hessian_block_psd
  LocalHessian<2, T> hessian_psd(const Local<2, T>& x) const { return of_both_ends(hessian_block_psd(x)); }

  /// k [ d̂d̂ᵀ + (1 − L/|d|)(I − d̂d̂ᵀ) ]
  Eigen::Matrix3<T> hessian_block(const Local<2, T>& x) const {
    return block_with(x, [](const T& across) { return across; });
  }
  /// A compressed spring has negative curvature across itself, which is dropped [Choi & Ko 2002].
  Eigen::Matrix3<T> hessian_block_psd(const Local<2, T>& x) const {
    return block_with(x, [](const T& across) { return positive(across); });
  }

  /// One end's part of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int slot, const Local<2, T>& x, Eigen::Vector3<T>& gradient,
                        Eigen::Matrix3<T>& block) const {
    const Eigen::Vector3<T> d = x.col(slot) - x.col(1 - slot);
    const T length = d.norm(), k = stiffness;
    const auto sound = length > T(0);
    if (!any(sound)) return;
    const T slack = 1 - rest / length, kept = positive(slack);
    gradient += or_zero(sound, (k * slack) * d);
    block += or_zero(sound, (k * (1 - kept) / (length * length)) * d * d.transpose());
    block.diagonal().array() += select(sound, T(k * kept), T(0));
  }

  /// k (1 −1; −1 1) [N/m], a bound at any length.
  Pairs<2, T> majorant() const { return (Pairs<2, T>() << T(1), T(-1), T(-1), T(1)).finished() * stiffness; }

  /// C = |d| − L [m]; the direction of coincident ends is taken as zero.
  T condition(int, const Local<2, T>& x, Local<2, T>& direction) const {
    const Eigen::Vector3<T> d = x.col(1) - x.col(0);
    const T length = d.norm();
    direction.col(1) = or_zero(length > T(0), (1 / length) * d);
    direction.col(0) = -direction.col(1);
    return length - rest;
  }

  /// 1/k [m/N].
  T compliance(int) const { return 1 / stiffness; }

 private:
  /// `kept` is what it has across itself of 1 − L/|d|.
  template <class Kept>
  Eigen::Matrix3<T> block_with(const Local<2, T>& x, const Kept& kept) const {
    const Eigen::Vector3<T> difference = x.col(1) - x.col(0);
    const T length = difference.norm();
    const auto sound = length > T(0);
    const T across = kept(select(sound, T(1 - rest / length), T(0)));
    const Eigen::Vector3<T> d = or_zero(sound, (1 / length) * difference);
    Eigen::Matrix3<T> block;
    for (int axis = 0; axis < 3; ++axis) {
      block.col(axis) = (stiffness * (1 - across) * d[axis]) * d;
      block(axis, axis) += stiffness * across;
    }
    return block;
  }

  static LocalHessian<2, T> of_both_ends(const Eigen::Matrix3<T>& block) {
    LocalHessian<2, T> h;
    h << block, -block, -block, block;
    return h;
  }
};
/// All springs of a model, stored.
using SpringEnergy = ElementEnergy<Spring>;
static_assert(Energy<SpringEnergy>);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/energy/energy.h"

namespace muslin {

/// Quadratic bending of two triangles that are flat at rest: E = ½ k |b|², b = Σ wᵢ xᵢ [Bergou 2006].
/// For a small dihedral angle θ over an edge of length l, |b| = l θ. The stencil is edge, edge, tip, tip.
struct BendingEnergy {
  static constexpr std::string_view kName = "bending";
  static constexpr int kSize = 4, kConditions = 1;
  static constexpr bool kConstantHessian = true;
  std::vector<Stencil<4>> vertices;
  std::vector<Eigen::Vector4d> weights;  ///< cotangents, sum 0
  std::vector<double> stiffness;         ///< k [N/m] = D / (A₀ + A₁), D the plate's rigidity
  std::vector<double> damping;           ///< τ [s]
  Incidence incidence;
  Colouring colouring;

  int size() const { return static_cast<int>(vertices.size()); }

  double value(int e, const Local<4>& x) const { return 0.5 * stiffness[e] * (x * weights[e]).squaredNorm(); }

  Local<4> gradient(int e, const Local<4>& x) const {
    return stiffness[e] * (x * weights[e]) * weights[e].transpose();
  }

  /// Constant and positive semi-definite: k w wᵀ ⊗ I.
  LocalHessian<4> hessian(int e, const Local<4>&) const {
    LocalHessian<4> h;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        h.block<3, 3>(3 * i, 3 * j) = stiffness[e] * weights[e][i] * weights[e][j] * Mat3::Identity();
    return h;
  }

  LocalHessian<4> hessian_psd(int e, const Local<4>& x) const { return hessian(e, x); }
  Pairs<4> majorant(int e) const { return stiffness[e] * weights[e] * weights[e].transpose(); }
  void damp(const Points&, double) {}

  /// C = |b| [m]; flat elements have no direction and give zero.
  double condition(int e, int, const Local<4>& x, Local<4>& gradient) const {
    const Vec3 b = x * weights[e];
    const double size = b.norm();
    gradient = (size > 0 ? Vec3(b / size) : Vec3::Zero()) * weights[e].transpose();
    return size;
  }

  double compliance(int e, int) const { return 1 / stiffness[e]; }
};
static_assert(Energy<BendingEnergy>);

/// The weights of a hinge with rest positions edge x₀, x₁ and tips x₂, x₃, and A₀ + A₁ [m²].
struct HingeWeights {
  Eigen::Vector4d weights;
  double area;
};
HingeWeights hinge_weights(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);

}  // namespace muslin

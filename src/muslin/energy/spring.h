#pragma once
#include <algorithm>
#include <vector>

#include "muslin/energy/energy.h"

namespace muslin {

enum class SpringClass { structural, shear, bend };

/// Springs: E = ½ k (|d| − L)² with d = x₁ − x₀. One entry of every array a spring.
struct SpringEnergy {
  static constexpr int kSize = 2;
  std::vector<Stencil<2>> vertices;
  std::vector<double> rest_length;  ///< L [m]
  std::vector<double> stiffness;    ///< k [N/m]
  std::vector<SpringClass> kind;
  Incidence incidence;
  Colouring colouring;

  int size() const { return static_cast<int>(vertices.size()); }

  double value(int s, const Local<2>& x) const {
    const double stretch = (x.col(1) - x.col(0)).norm() - rest_length[s];
    return 0.5 * stiffness[s] * stretch * stretch;
  }

  Local<2> gradient(int s, const Local<2>& x) const {
    Local<2> direction, gradient;
    const double tension = stiffness[s] * constraint(s, x, direction);
    gradient.col(1) =
        tension * direction.col(1);  // column by column: see docs/architecture.md, "Fast with Eigen"
    gradient.col(0) = -gradient.col(1);
    return gradient;
  }

  /// k [ d̂d̂ᵀ + max(0, 1 − L/|d|)(I − d̂d̂ᵀ) ]: a compressed spring has negative curvature across itself,
  /// which is dropped [Choi & Ko 2002].
  LocalHessian<2> hessian(int s, const Local<2>& x) const {
    Local<2> direction;
    constraint(s, x, direction);
    const Vec3 d = direction.col(1);
    const double length = (x.col(1) - x.col(0)).norm();
    const double across = length > 0 ? std::max(0.0, 1 - rest_length[s] / length) : 0;
    const Mat3 along = d * d.transpose();
    const Mat3 block = stiffness[s] * (along + across * (Mat3::Identity() - along));
    LocalHessian<2> h;
    h << block, -block, -block, block;
    return h;
  }

  /// C = |d| − L [m]; the direction of coincident ends is taken as zero.
  double constraint(int s, const Local<2>& x, Local<2>& direction) const {
    const Vec3 d = x.col(1) - x.col(0);
    const double length = d.norm();
    direction.col(1) = length > 0 ? Vec3((1 / length) * d) : Vec3::Zero();
    direction.col(0) = -direction.col(1);
    return length - rest_length[s];
  }

  double compliance(int s) const { return 1 / stiffness[s]; }
};
static_assert(Energy<SpringEnergy>);

}  // namespace muslin

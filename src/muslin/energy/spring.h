#pragma once
#include <algorithm>
#include <vector>

#include "muslin/energy/energy.h"

namespace muslin {

enum class SpringClass { structural, shear, bend };

/// Springs: E = ½ k (|d| − L)² with d = x₁ − x₀. One entry of every array a spring.
struct SpringEnergy {
  static constexpr std::string_view kName = "springs";
  static constexpr int kSize = 2, kConditions = 1;
  std::vector<Stencil<2>> vertices;
  std::vector<double> rest_length;  ///< L [m]
  std::vector<double> stiffness;    ///< k [N/m]
  std::vector<double> damping;      ///< τ [s]
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
    const double tension = stiffness[s] * condition(s, 0, x, direction);
    gradient.col(1) =
        tension * direction.col(1);  // column by column: see docs/architecture.md, "Fast with Eigen"
    gradient.col(0) = -gradient.col(1);
    return gradient;
  }

  /// k [ d̂d̂ᵀ + (1 − L/|d|)(I − d̂d̂ᵀ) ]
  LocalHessian<2> hessian(int s, const Local<2>& x) const { return hessian_with(s, x, across(s, x)); }

  /// A compressed spring has negative curvature across itself, which is dropped [Choi & Ko 2002].
  LocalHessian<2> hessian_psd(int s, const Local<2>& x) const {
    return hessian_with(s, x, std::max(0.0, across(s, x)));
  }

  /// One end's share of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int s, int slot, const Local<2>& x, Vec3& gradient, Mat3& block) const {
    const Vec3 d = x.col(slot) - x.col(1 - slot);
    const double length = d.norm(), k = stiffness[s];
    if (!(length > 0)) {
      block += k * std::max(0.0, across(s, x)) * Mat3::Identity();
      return;
    }
    const double slack = 1 - rest_length[s] / length, kept = std::max(0.0, slack);
    gradient += (k * slack) * d;
    block += (k * (1 - kept) / (length * length)) * d * d.transpose();
    block.diagonal().array() += k * kept;
  }

  Pairs<2> majorant(int s) const { return (Pairs<2>() << 1, -1, -1, 1).finished() * stiffness[s]; }

  /// C = |d| − L [m]; the direction of coincident ends is taken as zero.
  double condition(int s, int, const Local<2>& x, Local<2>& direction) const {
    const Vec3 d = x.col(1) - x.col(0);
    const double length = d.norm();
    direction.col(1) = length > 0 ? Vec3((1 / length) * d) : Vec3::Zero();
    direction.col(0) = -direction.col(1);
    return length - rest_length[s];
  }

  double compliance(int s, int) const { return 1 / stiffness[s]; }

  void damp(const Points& before, double h) {
    for (int s = 0; s < size(); ++s) {
      const auto [a, b] = vertices[s];
      const double length = (before.col(b) - before.col(a)).norm();
      rest_length[s] += damping_shift(damping[s], h) * (length - rest_length[s]);
      stiffness[s] *= 1 + damping[s] / h;
    }
  }

 private:
  double across(int s, const Local<2>& x) const {
    const double length = (x.col(1) - x.col(0)).norm();
    return length > 0 ? 1 - rest_length[s] / length : 0;
  }
  LocalHessian<2> hessian_with(int s, const Local<2>& x, double across) const {
    const Vec3 difference = x.col(1) - x.col(0);
    const double length = difference.norm();
    const Vec3 d = length > 0 ? Vec3((1 / length) * difference) : Vec3::Zero();
    LocalHessian<2> h;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 column = (stiffness[s] * (1 - across) * d[axis]) * d;
      column[axis] += stiffness[s] * across;
      h.col(axis) << column, -column;
      h.col(3 + axis) = -h.col(axis);
    }
    return h;
  }
};
static_assert(Energy<SpringEnergy>);

}  // namespace muslin

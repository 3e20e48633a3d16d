#pragma once
#include <vector>

#include "muslin/energy/energy.h"

namespace muslin {

/// Springs without length from a vertex to a place: E = ½ k |x − p|². What a hand pulls with.
struct AnchorEnergy {
  static constexpr std::string_view kName = "pull";
  static constexpr int kSize = 1, kConditions = 3;  // x, y, z
  static constexpr bool kConstantHessian = true;
  std::vector<Stencil<1>> vertices;
  std::vector<Vec3> place;        ///< p [m]
  std::vector<double> stiffness;  ///< k [N/m]
  std::vector<double> damping;    ///< τ [s]
  Incidence incidence;
  Colouring colouring;

  int size() const { return static_cast<int>(vertices.size()); }

  double value(int e, const Local<1>& x) const { return 0.5 * stiffness[e] * (x - place[e]).squaredNorm(); }
  Local<1> gradient(int e, const Local<1>& x) const { return stiffness[e] * (x - place[e]); }
  LocalHessian<1> hessian(int e, const Local<1>&) const { return stiffness[e] * Mat3::Identity(); }
  LocalHessian<1> hessian_psd(int e, const Local<1>& x) const { return hessian(e, x); }
  Pairs<1> majorant(int e) const { return Pairs<1>(stiffness[e]); }

  /// C = x − p along one axis [m]
  double condition(int e, int axis, const Local<1>& x, Local<1>& direction) const {
    direction = Vec3::Unit(axis);
    return x[axis] - place[e][axis];
  }
  double compliance(int e, int) const { return 1 / stiffness[e]; }

  void damp(const Points& before, double h) {
    for (int e = 0; e < size(); ++e) {
      place[e] += damping_shift(damping[e], h) * (before.col(vertices[e][0]) - place[e]);
      stiffness[e] *= 1 + damping[e] / h;
    }
  }
};
static_assert(Energy<AnchorEnergy>);

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/energy/plate.h"

namespace muslin {

/// Bending of cloth that is flat at rest and bends without stretch, so that the energy is quadratic and its
/// matrix constant [Bergou 2006], in the form of plate.h: E = ½ s |x Rᵀ − y₀|².
///
/// Damping moves y₀ towards x Rᵀ before the step. It takes any change of the vectors b for a change of
/// curvature, so it also resists, a little, that curved cloth turns; DihedralEnergy does not.
struct BendingEnergy {
  static constexpr std::string_view kName = "quadratic_bending";
  static constexpr int kSize = 6, kConditions = 1;
  static constexpr bool kConstantHessian = true;
  using Root = Eigen::Matrix<double, 3, 6>;

  std::vector<PlateStencil> vertices;
  std::vector<Root> root;         ///< R [√(N/m)] of the flat rest shape
  std::vector<double> stiffness;  ///< s, 1 unless damping adds to it
  std::vector<Mat3> rest;         ///< y₀ [√J]; empty without damping: 0
  std::vector<double> damping;    ///< τ [s]
  Incidence incidence;
  Colouring colouring;

  int size() const { return static_cast<int>(vertices.size()); }

  double value(int e, const Local<6>& x) const { return 0.5 * stiffness[e] * bent(e, x).squaredNorm(); }
  Local<6> gradient(int e, const Local<6>& x) const { return stiffness[e] * bent(e, x) * root[e]; }

  /// s RᵀR ⊗ I, constant and positive semi-definite.
  LocalHessian<6> hessian(int e, const Local<6>&) const {
    const Pairs<6> pairs = majorant(e);
    LocalHessian<6> h = LocalHessian<6>::Zero();
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        for (int axis = 0; axis < 3; ++axis) h(3 * i + axis, 3 * j + axis) = pairs(i, j);
    return h;
  }
  LocalHessian<6> hessian_psd(int e, const Local<6>& x) const { return hessian(e, x); }
  Pairs<6> majorant(int e) const { return stiffness[e] * root[e].transpose() * root[e]; }

  /// One vertex's share of gradient and hessian_psd: see vertex.h.
  void add_vertex_terms(int e, int slot, const Local<6>& x, Vec3& gradient, Mat3& block) const {
    const Vec3 column = root[e].col(slot);
    gradient += stiffness[e] * (bent(e, x) * column);
    block.diagonal().array() += stiffness[e] * column.squaredNorm();
  }

  /// C = |y|; without curvature it has no direction and gives zero.
  double condition(int e, int, const Local<6>& x, Local<6>& gradient) const {
    const Mat3 y = bent(e, x);
    const double size = y.norm();
    gradient = (size > 0 ? 1 / size : 0) * y * root[e];
    return size;
  }
  double compliance(int e, int) const { return 1 / stiffness[e]; }

  void damp(const Points& before, double h) {
    rest.resize(size(), Mat3::Zero());
    for (int e = 0; e < size(); ++e) {
      const Mat3 start = gather(before, vertices[e]) * root[e].transpose();
      rest[e] += damping_shift(damping[e], h) * (start - rest[e]);
      stiffness[e] *= 1 + damping[e] / h;
    }
  }

 private:
  Mat3 bent(int e, const Local<6>& x) const {
    if (rest.empty()) return x * root[e].transpose();
    return x * root[e].transpose() - rest[e];
  }
};
static_assert(Energy<BendingEnergy>);

}  // namespace muslin

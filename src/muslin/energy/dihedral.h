#pragma once
#include <vector>

#include "muslin/energy/plate.h"

namespace muslin {

/// Bending by the angles between triangles [Grinspun 2003], for any rest shape, in the form of plate.h:
/// E = ½ φᵀ Q φ with φ_k = θ_k − rest_k.
struct DihedralEnergy {
  static constexpr std::string_view kName = "dihedral_bending";
  static constexpr int kSize = 6, kConditions = 1;
  using Hinges = Eigen::Matrix<double, 3, 6>;

  std::vector<PlateStencil> vertices;
  std::vector<Mat3> stiffness;  ///< Q [N·m], positive semi-definite; zero rows at borders
  std::vector<Vec3> rest;       ///< angles at rest [rad]; damping moves them
  std::vector<Hinges> hinges;   ///< θ_k = Σ hinges(k, i) xᵢ [1/m] near the plane
  std::vector<double> damping;  ///< τ [s]
  Incidence incidence;
  Colouring colouring;

  int size() const { return static_cast<int>(vertices.size()); }

  double value(int e, const Local<6>& x) const;
  Local<6> gradient(int e, const Local<6>& x) const;
  LocalHessian<6> hessian(int e, const Local<6>& x) const;
  /// Without the curvature of the angles themselves [Gauss–Newton].
  LocalHessian<6> hessian_psd(int e, const Local<6>& x) const;
  /// Of the plate when it is flat: triangles at a sharp fold are softer along some directions and stiffer
  /// along others.
  Pairs<6> majorant(int e) const { return hinges[e].transpose() * stiffness[e] * hinges[e]; }

  /// C = √(φᵀ Q φ), as energy_condition, with the angles taken once.
  double condition(int e, int, const Local<6>& x, Local<6>& gradient) const;
  double compliance(int, int) const { return 1; }

  void damp(const Points& before, double h);

 private:
  Vec3 angles(int e, const Local<6>& x) const;
  Local<6> gradient_of(int e, const Vec3& moments, const Local<6>& x) const;
};
static_assert(Energy<DihedralEnergy>);

}  // namespace muslin

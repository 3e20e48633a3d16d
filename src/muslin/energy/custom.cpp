#include "muslin/energy/custom.h"

#include <Eigen/Eigenvalues>

namespace muslin {

namespace {

// Of what the Hessian makes of moving all vertices alike, relative to its largest eigenvalue: rounding leaves
// 1e-15 of a spring, and what holds vertices to places is above 1e-2 in all but contrived cases.
constexpr double kNoForce = 1e-9;

bool ignores_translation(const ElementHessian& hessian, double greatest) {
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 12, 1> force;
    force.setZero(hessian.rows());
    for (int k = axis; k < hessian.cols(); k += 3) force += hessian.col(k);
    if (force.norm() > kNoForce * greatest) return false;
  }
  return true;
}

}  // namespace

ElementHessian CustomEnergy::hessian_psd(int element, const ElementColumns& x) const {
  const Eigen::SelfAdjointEigenSolver<ElementHessian> solved(hessian(element, x));
  return solved.eigenvectors() * solved.eigenvalues().cwiseMax(0).asDiagonal() *
         solved.eigenvectors().transpose();
}

ElementPairs CustomEnergy::majorant(int element, const ElementColumns& start) const {
  const ElementHessian at_start = hessian(element, start);
  const Eigen::SelfAdjointEigenSolver<ElementHessian> solved(at_start, Eigen::EigenvaluesOnly);
  const double greatest = std::max(0.0, solved.eigenvalues().maxCoeff());
  const auto k = start.cols();
  ElementPairs bound = greatest * ElementPairs::Identity(k, k);
  if (ignores_translation(at_start, solved.eigenvalues().cwiseAbs().maxCoeff()))
    bound.array() -= greatest / static_cast<double>(k);
  return bound;
}

}  // namespace muslin

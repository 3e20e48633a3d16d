#pragma once
#include <Eigen/SparseCore>
#include <vector>

namespace muslin {

/// Interpolates fine unknowns from coarse ones: x_i = Σ weight · X_column, in compressed rows.
struct Prolongator {
  int coarse = 0;              ///< unknowns of the coarse level
  std::vector<int> begin{0};   ///< fine+1
  std::vector<int> column;     ///< ascending within a row
  std::vector<double> weight;  ///< one a column

  int fine() const { return static_cast<int>(begin.size()) - 1; }
};

/// Smoothed aggregation [Vaněk 1996]: unknowns that are strongly connected in a symmetric positive definite
/// M-like matrix L form an aggregate; P = (I − w D⁻¹ L) P₀ with P₀ the aggregates' indicator and
/// w = 4 / (3 λmax(D⁻¹L)). Weak connections of L are lumped into the diagonal first. `held` has one entry a
/// row; rows of held unknowns stay empty, and no aggregate is held as a whole.
Prolongator smoothed_aggregation(const Eigen::SparseMatrix<double>& laplacian, const std::vector<char>& held);

/// Pᵀ, by rows of coarse unknowns.
Prolongator transposed(const Prolongator& prolongator);

/// Pᵀ L P
Eigen::SparseMatrix<double> galerkin(const Eigen::SparseMatrix<double>& laplacian, const Prolongator& P);

}  // namespace muslin

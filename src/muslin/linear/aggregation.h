#pragma once
#include <Eigen/SparseCore>
#include <vector>

namespace muslin {

/// How fine unknowns follow coarse ones, as compressed rows: x_i = Σ weight · X_column.
struct Prolongator {
  int coarse = 0;              ///< unknowns of the coarse level
  std::vector<int> begin{0};   ///< fine+1
  std::vector<int> column;     ///< ascending within a row
  std::vector<double> weight;  ///< one a column

  int fine() const { return static_cast<int>(begin.size()) - 1; }
};

/// Smoothed aggregation [Vaněk 1996]: unknowns that are strongly connected in a symmetric positive definite
/// M-like matrix L form an aggregate; P = (I − w D⁻¹ L) P₀ with P₀ the aggregates' indicator and
/// w = 4 / (3 λmax(D⁻¹L)). Weak connections of L are lumped first. Rows of unknowns that are `held` (one a
/// row) stay empty, and no aggregate is held as a whole.
Prolongator smoothed_aggregation(const Eigen::SparseMatrix<double>& laplacian, const std::vector<char>& held);

/// The other way: rows of coarse unknowns, Pᵀ.
Prolongator transposed(const Prolongator& prolongator);

/// Pᵀ L P
Eigen::SparseMatrix<double> galerkin(const Eigen::SparseMatrix<double>& laplacian, const Prolongator& P);

}  // namespace muslin

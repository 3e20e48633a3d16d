#pragma once
#include <Eigen/SparseCore>
#include <vector>

namespace muslin {

/// Fill-reducing order of n vertices for Cholesky: order[k] is the vertex eliminated k-th. `begin` (n+1) and
/// `column` are the compressed rows of a symmetric matrix. Approximate minimum degree [Amestoy 1996],
/// Eigen's. The same pattern gives the same order, on every system.
std::vector<int> fill_reducing_order(int n, const int* begin, const int* column);

/// The upper triangle of such a matrix of blocks of `width` numbers squared, with rows of blocks in that
/// order. Each entry holds which of the values it comes from, width² a slot.
Eigen::SparseMatrix<double> ordered_upper_triangle(int n, const int* begin, const int* column, int width,
                                                   const std::vector<int>& order);

}  // namespace muslin

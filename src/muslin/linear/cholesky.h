#pragma once
#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "muslin/linear/block_matrix.h"
#include "muslin/linear/filter.h"

namespace muslin {

/// Sparse Cholesky factor of S A S + (I − S). The prescribed part of x is moved to the right-hand side, so
/// that it acts on free vertices. Ordering and symbolic factorisation are kept while the pattern stays the
/// same.
class BlockCholesky {
 public:
  BlockCholesky();
  ~BlockCholesky();
  BlockCholesky(BlockCholesky&&) noexcept;
  BlockCholesky& operator=(BlockCholesky&&) noexcept;

  /// False if the filtered matrix is not positive definite; `solve` must not be called then.
  bool factorize(const BlockMatrix& A, const Filter& filter);

  /// S A x = S b in the free directions, x as prescribed in the held ones. 3×n.
  void solve(const Points& b, Points& x) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// The same for L ⊗ I: a symmetric n×n matrix L that acts on each axis separately, as in projective dynamics
/// [Bouaziz 2014]. Vertices may be held on some axes; axes that hold the same vertices share a factor.
class AxisCholesky {
 public:
  AxisCholesky();
  ~AxisCholesky();
  AxisCholesky(AxisCholesky&&) noexcept;
  AxisCholesky& operator=(AxisCholesky&&) noexcept;

  /// `L` holds both triangles; `free` is 3×n, 1 on free axes, 0 on held ones. False if not positive definite.
  bool factorize(const Eigen::SparseMatrix<double>& L, const Points& free);

  /// L x = b on the free axes, x = 0 on the held ones. 3×n.
  void solve(const Points& b, Points& x) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace muslin

#pragma once
#include <Eigen/Core>
#include <memory>

namespace muslin {

/// Sparse Cholesky factorisation of symmetric block matrices with one pattern: Eigen's
/// simplicial L Lᵀ, or CHOLMOD's supernodal one [Chen 2008] where the build asked for it (MUSLIN_CHOLMOD: it
/// is GPL). Rows are eliminated in the order of ordering.h.
class SparseFactor {
 public:
  SparseFactor();
  ~SparseFactor();
  SparseFactor(SparseFactor&&) noexcept;
  SparseFactor& operator=(SparseFactor&&) noexcept;

  /// Compressed rows of a symmetric n×n matrix of blocks of `width` numbers squared, diagonal included.
  void analyze(int n, const int* begin, const int* column, int width);

  /// `values` holds width² numbers a slot. False if A is not positive definite.
  bool factorize(const double* values);

  /// x ← A⁻¹ x, width numbers a row of the matrix.
  void solve(Eigen::Ref<Eigen::VectorXd> x) const;

 private:
  struct Numbers;
  std::unique_ptr<Numbers> numbers_;
};

}  // namespace muslin

#pragma once
#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "muslin/linear/aggregation.h"
#include "muslin/linear/block_matrix.h"
#include "muslin/linear/filter.h"

namespace muslin {

/// A symmetric V(1,1)-cycle of smoothed aggregation for block matrices, as a preconditioner: its own number
/// of iterations depends on neither the size of the mesh nor its stiffness. Aggregates and prolongators come
/// from a scalar matrix and stay; every new block matrix costs one numeric pass over all levels. Gauss–Seidel
/// runs forwards before and backwards after the coarser levels, within chunks of rows and by Jacobi between
/// them, damped as far as it must be to stay positive [Baker 2011], so that the bits are the same for any
/// number of threads. Numbers of the cycle are floats.
///
/// A part of the matrix may be added that has another pattern every time, as contact has: all levels see it,
/// through the prolongators of the first part.
class Multigrid {
 public:
  Multigrid() = default;

  /// `laplacian` is n×n, symmetric and positive definite, as of one coordinate at rest; `held` (one a vertex)
  /// are never moved by coarser levels. The block matrices will have `pattern`.
  Multigrid(const Eigen::SparseMatrix<double>& laplacian, const std::vector<char>& held,
            std::shared_ptr<const BlockPattern> pattern);

  /// Takes over S (A + added) S, with the unit of size in held directions; `added` must be positive
  /// semi-definite. False if a diagonal block or the coarsest matrix is not positive definite.
  bool update(const BlockMatrix& A, const Filter& filter, const BlockMatrix* added = nullptr);

  /// The same with another part added to the A of the last update: a fraction of its work.
  bool update_added(const BlockMatrix* added);

  /// x ≈ (S A S)⁻¹ b, one cycle; b is zero and x becomes zero in held directions.
  void solve(const Points& b, Points& x);

  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  int levels() const { return static_cast<int>(levels_.size()); }
  /// Blocks of all levels over those of the finest.
  double operator_complexity() const;

 private:
  // A fourth row of zeros lets a column fill a register of 128 bits.
  using Floats = Eigen::Matrix<float, 4, Eigen::Dynamic>;
  using Block = Eigen::Matrix<float, 4, 3>;

  // A matrix to smooth with: no pattern, no matrix. Its diagonal blocks are not used.
  struct Smoothed {
    std::shared_ptr<const BlockPattern> pattern;
    std::vector<Block> blocks;
  };

  struct Level {
    // written once
    std::shared_ptr<const BlockPattern> pattern;
    Prolongator down, up;            // rows of this level's unknowns, and of the coarser level's
    std::vector<int> product_begin;  // n+1: the blocks of every row of A P
    std::vector<int> product_entry;  // n+1: where a row begins in
    std::vector<int>
        product_slot;  //   where each block of A goes, times each weight of its column's row of P
    std::vector<int> coarse_entry;  // coarse+1: where an aggregate begins in
    std::vector<int> coarse_slot;   //   where each block of A P goes, row by row of the aggregate
    // for every matrix
    BlockMatrix matrix;          // of the finest level only where vertices are held in some directions
    std::vector<Mat3> product;   // A P
    std::vector<Mat3> diagonal;  // of A
    std::vector<Mat3> lacking;   //   that it lacks of a bound of what A has from chunk to chunk
    Smoothed own, added;         // A, and what is added to it
    std::vector<Block> inverse;  // of the diagonal of both, and the bound
    std::vector<Block> bound;    //   of what is there from chunk to chunk, as far as it takes one
    Floats b, x, r;
  };

  static std::shared_ptr<const BlockPattern> plan(Level& fine);
  const BlockMatrix& filtered(const BlockMatrix& A);
  void filter_blocks(BlockMatrix& matrix) const;
  static void coarsen(const BlockMatrix& A, Level& fine, Level& coarse);
  void brace(const BlockMatrix& A);
  static void smooth_with(const BlockMatrix& A, Smoothed& smoothed);
  void hold(Smoothed& finest) const;
  bool update_diagonal(Level& level, const BlockMatrix* added) const;
  bool factor_coarsest(const BlockMatrix& A, const BlockMatrix* added);
  bool is_direct(int depth) const;
  void cycle(int depth);
  static std::vector<const Smoothed*> parts(const Level& level);
  static void smooth_forwards(Level& level);
  static void smooth_backwards(Level& level);

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Level> levels_;  // the finest first
  Eigen::LLT<Eigen::MatrixXd> coarsest_;
  Filter filter_;
};

}  // namespace muslin

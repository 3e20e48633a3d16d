#pragma once
#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "muslin/core/scratch_pool.h"
#include "muslin/linear/aggregation.h"
#include "muslin/linear/block_matrix.h"
#include "muslin/linear/coarse_product.h"
#include "muslin/linear/filter.h"
#include "muslin/linear/lean_matrix.h"
#include "muslin/linear/row_source.h"
#include "muslin/linear/smoother.h"

namespace muslin {

/// Symmetric V(1,1)-cycle of smoothed aggregation for block matrices, as a preconditioner: the number of
/// iterations depends on neither the size of the mesh nor its stiffness. Aggregates and prolongators come
/// from a scalar matrix and are kept; a new block matrix costs one numeric pass over all levels. Gauss–Seidel
/// (Smoother) runs forwards before and backwards after the coarser levels, damped between chunks of rows so
/// that it stays positive definite [Baker 2011]. All levels use floats, with the same bits for any number of
/// threads.
///
/// A second matrix with a pattern that changes every time may be added, such as contact. All levels see it,
/// through the prolongators of the first matrix.
class Multigrid {
 public:
  Multigrid() = default;

  /// `laplacian` is n×n, symmetric and positive definite, as of one coordinate at rest; `held` (one a vertex)
  /// are never moved by coarser levels. The block matrices will have `pattern`.
  Multigrid(const Eigen::SparseMatrix<double>& laplacian, const std::vector<char>& held,
            std::shared_ptr<const BlockPattern> pattern);

  /// Sets the matrix S (A + added) S, with a scaled identity in held directions; `added` must be positive
  /// semi-definite. False if a diagonal block or the coarsest matrix is not positive definite.
  bool update(const BlockMatrix& A, const Filter& filter, const BlockMatrix* added = nullptr);

  bool update(const LeanMatrix& A, const Filter& filter, const BlockMatrix* added = nullptr);

  /// The same with A from a source of rows, which need not be stored elsewhere.
  bool update(const RowSource& A, const Filter& filter, const BlockMatrix* added = nullptr);

  /// Replaces the added matrix and keeps A of the last update, for a fraction of the work.
  bool update_added(const BlockMatrix* added);

  /// x ≈ (S A S)⁻¹ b, one cycle; b is zero and x becomes zero in held directions.
  void solve(const Points& b, Points& x);

  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  int levels() const { return static_cast<int>(levels_.size()); }
  /// Blocks of all levels over those of the finest.
  double operator_complexity() const;

 private:
  using Floats = Smoother::Floats;

  /// Transfer between levels, in the order of places (Smoother).
  struct Transfer {
    std::vector<int> begin{0}, column;
    std::vector<float> weight;
  };

  struct Level {
    // set by the constructor
    std::shared_ptr<const BlockPattern> pattern;
    Prolongator down, up;       // rows of this level's unknowns, and of the coarser level's
    Transfer prolong, coarsen;  // the same, from place to place
    CoarseProduct product;      // the coarser level's matrix
    std::vector<int> border;    // rows that have blocks in other chunks
    // set by every update
    Smoother smoother;
    Eigen::MatrixXd dense;       // in place of it, where the level is solved directly
    std::vector<Mat3> diagonal;  // of A
    std::vector<Mat3> growth;    // of the diagonal, for the blocks between chunks (chunk_bound.h)
    Floats b, x, r;
  };
  struct ChunkMemory {
    std::vector<FloatBlock> blocks, row;
  };

  bool is_direct(int depth) const;
  void link(int depth);
  void take_rows(int depth, const RowSource& source);
  void hold(const RowChunk& rows) const;
  static void find_growth(Level& level, const RowChunk& rows);
  void take_dense(Level& level, const RowChunk& rows) const;
  void filter_blocks(BlockMatrix& matrix) const;
  bool update_diagonal(int depth, const BlockMatrix* added);
  bool factor_coarsest(const Level& level, const BlockMatrix* added);
  void cycle(int depth);
  void solve_directly(Level& level) const;
  static void transfer(const Transfer& rows, const Floats& from, const Floats* base, Floats& to);

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Level> levels_;  // the finest first
  std::unique_ptr<ScratchPool<ChunkMemory>> memory_;
  Eigen::LLT<Eigen::MatrixXd> coarsest_;
  Filter filter_;
};

}  // namespace muslin

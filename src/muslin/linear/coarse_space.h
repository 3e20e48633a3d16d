#pragma once
#include <memory>
#include <vector>

#include "muslin/linear/block_matrix.h"
#include "muslin/linear/filter.h"
#include "muslin/linear/sparse_factor.h"

namespace muslin {

/// Second level of a two-level preconditioner: P (Pᵀ S A S P)⁻¹ Pᵀ, where P translates patches of a few dozen
/// neighbouring vertices [Vaněk 1996, without smoothing]. It reduces errors of long wavelength, which
/// block-Jacobi propagates one edge an iteration. Patches and the symbolic factorisation are kept while the
/// pattern stays the same.
class CoarseSpace {
 public:
  /// Must come before `solve`. False if A is not positive definite on the patches.
  bool prepare(const BlockMatrix& A, const Filter& filter);

  /// Solves for the translations that balance r, which must be zero in held directions. Returns rᵀ P (…)⁻¹ Pᵀ
  /// r.
  double solve(const Points& r);

  /// Translation of a vertex by the last `solve`.
  Vec3 shift(int vertex) const { return shifts_.col(patch_[vertex]); }

  int patches() const { return static_cast<int>(begin_.size()) - 1; }

 private:
  void analyze(const std::shared_ptr<const BlockPattern>& pattern);

  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<int> patch_;           // of every vertex
  std::vector<int> begin_, member_;  // the vertices of every patch, ascending
  std::vector<int> coarse_slot_;     // where each slot of the pattern is added up
  BlockMatrix matrix_;               // Pᵀ S A S P
  SparseFactor factor_;
  Points sums_, shifts_;  // Pᵀ r and what it moves, one column a patch
};

}  // namespace muslin

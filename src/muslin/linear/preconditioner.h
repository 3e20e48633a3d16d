#pragma once

namespace muslin {

/// Preconditioner of conjugate gradients.
enum class Preconditioner {
  block_jacobi,  ///< the 3×3 diagonal blocks of the filtered matrix
  two_level,     ///< these plus a CoarseSpace: a third to a twelfth of the iterations on cloth
  multigrid,     ///< a cycle of a Multigrid
};

}  // namespace muslin

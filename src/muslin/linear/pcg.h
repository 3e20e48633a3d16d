#pragma once
#include "muslin/core/budget.h"
#include "muslin/linear/block_matrix.h"
#include "muslin/linear/coarse_space.h"
#include "muslin/linear/filter.h"
#include "muslin/linear/lean_matrix.h"
#include "muslin/linear/multigrid.h"
#include "muslin/linear/preconditioner.h"

namespace muslin {

struct PcgOptions {
  double tolerance = 1e-3;  ///< of the preconditioned residual √(rᵀP⁻¹r), relative to that of x = z
  int max_iterations = 2000;
  Preconditioner preconditioner = Preconditioner::block_jacobi;
  bool same_cycle = false;   ///< multigrid: keep the cycle of the last update, whose A may differ; the filter
                             ///< must be the same, and `added` is updated
  Budget* budget = nullptr;  ///< counts iterations, and ends the solve
  double most_gained_late = 1;  ///< of PcgReport::gained_late; beyond, iterations go on at any error
};

/// What preconditioners keep between solves.
struct PcgMemory {
  CoarseSpace coarse;   ///< of two_level, made as needed
  Multigrid multigrid;  ///< made by the caller, who knows the cloth at rest
};

struct PcgReport {
  int iterations = 0;
  double error = 0;        ///< what `tolerance` is compared with, as reached
  double gained_late = 0;  ///< fraction of the decrease of ½ xᵀA x − bᵀx made by the last quarter of the
                           ///< iterations. Soft modes that P does not see converge late and are invisible in
                           ///< `error`; on a plateau they are invisible here, too [Strakoš & Tichý 2002]
  bool converged = false;
  bool negative_curvature =
      false;  ///< pᵀA p ≤ 0 was met, or seen before the first iteration; x is the iterate before it
};

/// Solves S A S x = S b in the free directions, with x as the filter prescribes in the held ones, exactly at
/// any number of iterations: modified conjugate gradients [Baraff 1998, §5.3] with the start and the
/// termination of [Ascher 2003]. x is the first guess; empty: zero. A must be symmetric; b and x are 3×n.
/// Keep `memory` between solves with one pattern; for multigrid it must hold a hierarchy. The matrix solved
/// is A + added, where `added` may have another pattern every time; a coarse space sees only its diagonal.
PcgReport solve_pcg(const BlockMatrix& A, const Points& b, const Filter& filter, const PcgOptions& options,
                    Points& x, PcgMemory* memory = nullptr, const BlockMatrix* added = nullptr);
/// The same, but with no coarse space (Preconditioner::two_level).
PcgReport solve_pcg(const LeanMatrix& A, const Points& b, const Filter& filter, const PcgOptions& options,
                    Points& x, PcgMemory* memory = nullptr, const BlockMatrix* added = nullptr);

}  // namespace muslin

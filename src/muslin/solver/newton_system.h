#pragma once
#include "muslin/contact/pairs/contact_rows.h"
#include "muslin/energy/assembly.h"
#include "muslin/linear/cholesky.h"
#include "muslin/linear/pcg.h"
#include "muslin/model/report.h"
#include "muslin/solver/connected_pieces.h"
#include "muslin/solver/objective.h"

namespace muslin {

/// The step [s] that tolerances and hierarchies refer to, as the first that a solver sees may be any: a frame
/// of film.
constexpr double kNominalStep = 1.0 / 60;

/// The linear system of a Newton step, H d = b with H = ∂²F/∂x². Its pattern, symbolic factorisation and
/// hierarchy are made once: it is good for one revision of a model and its controls.
class NewtonSystem {
 public:
  /// With `preconditioner` for conjugate gradients.
  explicit NewtonSystem(Preconditioner preconditioner) : preconditioner_(preconditioner) {}

  /// H at x, but for pairs (Objective::assemble_hessian).
  void assemble(const Objective& objective, const Points& x, Hessian which);

  /// Solves within the filter, by conjugate gradients from d to a relative error, or by Cholesky, which
  /// leaves d as it is where H is not positive definite. Adds the iterations to the report.
  PcgReport solve(LinearSolver method, const Points& b, const Filter& filter, const PcgOptions& options,
                  Points& d, StepReport& report);

  /// H at x, but for pairs, with floats off the diagonal.
  void assemble_lean(const Objective& objective, const Points& x, Hessian which);

  /// Solves with that and the rows of contact besides, by conjugate gradients behind multigrid.
  PcgReport solve(const ContactRows& rows, const Points& b, const Filter& filter, const PcgOptions& options,
                  Points& d, StepReport& report);

  /// The same by the diagonal blocks alone: a direction where conjugate gradients find none.
  Points solve_by_diagonal(const ContactRows& rows, const Points& b, const Points& free) const;

  /// Cycles of multigrid take over H at x, without pairs, which is not kept elsewhere; false if it is not
  /// positive definite.
  bool update_multigrid(const Objective& objective, const Points& x, Hessian which, const Filter& filter);
  /// d ≈ H⁻¹ b by one of them
  void cycle(const Points& b, Points& d) { memory_.multigrid.solve(b, d); }

  /// What elements bind together.
  ConnectedPieces pieces(const Objective& objective);

  Mat3& diagonal(int vertex) { return matrix_.diagonal(vertex); }

  /// H d, of the matrix that was assembled, and of the lean one.
  void multiply(const Points& d, Points& product) const { matrix_.multiply(d, product); }
  void multiply_lean(const Points& d, Points& product) const { lean_.multiply(d, product); }

 private:
  void prepare(const Objective& objective);
  static void count_setup(const PcgOptions& options, StepReport& report);

  HessianAssembly assembly_;
  BlockMatrix matrix_;
  LeanMatrix lean_;
  BlockCholesky cholesky_;
  PcgMemory memory_;
  Preconditioner preconditioner_;
};

/// What the pins hold when an unknown displacement begins at `positions`: their axes, on the way to where
/// `input` wants them.
Filter pin_filter(const Input& input, const Points& positions);

/// The axes that pins hold, where they are.
Filter held_axes(const Controls& controls);

}  // namespace muslin

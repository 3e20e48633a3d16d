#pragma once
#include "muslin/contact/pairs/contact_rows.h"
#include "muslin/energy/assembly.h"
#include "muslin/linear/cholesky.h"
#include "muslin/linear/pcg.h"
#include "muslin/model/report.h"
#include "muslin/solver/connected_pieces.h"
#include "muslin/solver/objective.h"

namespace muslin {

/// Step [s] that tolerances and hierarchies refer to, whatever the first step is.
constexpr double kNominalStep = 1.0 / 60;

/// Linear system of a Newton step, H d = b with H = ∂²F/∂x². Pattern, symbolic factorisation and hierarchy
/// are made once, for one revision of a model and its controls.
class NewtonSystem {
 public:
  /// `preconditioner`: that of conjugate gradients.
  explicit NewtonSystem(Preconditioner preconditioner) : preconditioner_(preconditioner) {}

  /// Assembles H at x, without pairs (Objective::assemble_hessian).
  void assemble(const Objective& objective, const Points& x, Hessian which);

  /// Solves within the filter, by conjugate gradients from d to a relative error, or by Cholesky, which does
  /// not change d if H is not positive definite. Adds iterations to the report.
  PcgReport solve(LinearSolver method, const Points& b, const Filter& filter, const PcgOptions& options,
                  Points& d, StepReport& report);

  /// Assembles H at x, without pairs, with floats off the diagonal.
  void assemble_lean(const Objective& objective, const Points& x, Hessian which);

  /// Solves with that matrix plus rows of contact, by conjugate gradients with multigrid.
  PcgReport solve(const ContactRows& rows, const Points& b, const Filter& filter, const PcgOptions& options,
                  Points& d, StepReport& report);

  /// Solves with the diagonal blocks alone, for a direction where conjugate gradients find none.
  Points solve_by_diagonal(const ContactRows& rows, const Points& b, const Points& free) const;

  /// Sets up multigrid cycles on H at x, without pairs and without storing H. False if it is not positive
  /// definite.
  bool update_multigrid(const Objective& objective, const Points& x, Hessian which, const Filter& filter);
  /// d ≈ H⁻¹ b by one cycle.
  void cycle(const Points& b, Points& d) { memory_.multigrid.solve(b, d); }

  /// The pieces that elements connect.
  ConnectedPieces pieces(const Objective& objective);

  Mat3& diagonal(int vertex) { return matrix_.diagonal(vertex); }

  /// H d, with the assembled matrix and with the lean one.
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

/// Filter of a displacement from `positions`: held axes, with their motion to the targets of `input`.
Filter pin_filter(const Input& input, const Points& positions);

/// Filter with the held axes of pins, at zero displacement.
Filter held_axes(const Controls& controls);

}  // namespace muslin

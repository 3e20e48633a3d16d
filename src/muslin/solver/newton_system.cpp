#include "muslin/solver/newton_system.h"

namespace muslin {

void NewtonSystem::assemble(const Objective& objective, const Points& x, Hessian which) {
  prepare(objective);
  objective.assemble_hessian(x, which, assembly_, matrix_);
}

void NewtonSystem::assemble_lean(const Objective& objective, const Points& x, Hessian which) {
  prepare(objective);
  assembly_.prepare_rows(objective.energies(), which);
  lean_.assign(assembly_.pattern(),
               [&](const RowChunk& rows) { objective.assemble_hessian_rows(x, which, assembly_, rows); });
}

bool NewtonSystem::update_multigrid(const Objective& objective, const Points& x, Hessian which,
                                    const Filter& filter) {
  prepare(objective);
  assembly_.prepare_rows(objective.energies(), which);
  return memory_.multigrid.update(
      [&](const RowChunk& rows) { objective.assemble_hessian_rows(x, which, assembly_, rows); }, filter);
}

PcgReport NewtonSystem::solve(LinearSolver method, const Points& b, const Filter& filter,
                              const PcgOptions& options, Points& d, StepReport& report) {
  PcgReport pcg;
  if (method == LinearSolver::cholesky) {
    pcg.converged = cholesky_.factorize(matrix_, filter);
    pcg.negative_curvature = !pcg.converged;
    if (pcg.converged) cholesky_.solve(b, d);
  } else {
    pcg = solve_pcg(matrix_, b, filter, options, d, &memory_);
    count_setup(options, report);
    report.linear_iterations += pcg.iterations;
  }
  return pcg;
}

PcgReport NewtonSystem::solve(const ContactRows& rows, const Points& b, const Filter& filter,
                              const PcgOptions& options, Points& d, StepReport& report) {
  const BlockMatrix contact = rows.empty() ? BlockMatrix() : rows.matrix(lean_.rows());
  const PcgReport pcg = solve_pcg(lean_, b, filter, options, d, &memory_, rows.empty() ? nullptr : &contact);
  count_setup(options, report);
  report.linear_iterations += pcg.iterations;
  return pcg;
}

Points NewtonSystem::solve_by_diagonal(const ContactRows& rows, const Points& b, const Points& free) const {
  const BlockMatrix contact = rows.matrix(lean_.rows());
  Points d(3, lean_.rows());
  for (int v = 0; v < lean_.rows(); ++v)
    d.col(v) = solve_in_free_axes(lean_.diagonal(v) + contact.diagonal(v), b.col(v), free.col(v));
  return d;
}

void NewtonSystem::count_setup(const PcgOptions& options, StepReport& report) {
  if (options.preconditioner == Preconditioner::multigrid && !options.same_cycle) ++report.setups;
}

namespace {
// Held axes with the displacements that they have.
Filter held_by(const Points& free, const Points& displacement) {
  Filter filter;
  for (int v = 0; v < free.cols(); ++v)
    if (const Vec3 fixed = Vec3::Ones() - free.col(v); !fixed.isZero())
      filter.hold_axes(v, fixed, displacement.col(v));
  return filter;
}
}  // namespace

Filter held_axes(const Controls& controls) {
  return held_by(controls.free, Points::Zero(3, controls.free.cols()));
}

Filter pin_filter(const Input& input, const Points& positions) {
  Points displacement = positions;
  apply_pins(input, displacement);
  displacement -= positions;
  return held_by(input.controls->free, displacement);
}

}  // namespace muslin

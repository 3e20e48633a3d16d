#include "muslin/solver/newton_system.h"

#include "muslin/energy/pattern.h"

namespace muslin {

namespace {

// Aggregates from the cloth at rest: the majorants of its elements, and M/h² of the nominal step.
Multigrid hierarchy(const Model& model, const std::shared_ptr<const BlockPattern>& pattern) {
  Eigen::SparseMatrix<double> laplacian = majorant_matrix(model.energies, model.vertex_count());
  std::vector<char> held(model.vertex_count());
  for (int v = 0; v < model.vertex_count(); ++v) {
    laplacian.coeffRef(v, v) += model.mass[v] / (kNominalStep * kNominalStep);
    held[v] = model.free.col(v).isZero();
  }
  return Multigrid(laplacian, held, pattern);
}

}  // namespace

void NewtonSystem::assemble(const Objective& objective, const Points& x, Hessian which) {
  const Model& model = objective.model();
  if (std::vector<int> stencils = muslin::pattern(model.energies);
      stencils != stencils_ || matrix_.rows() != model.vertex_count()) {
    stencils_ = std::move(stencils);
    assembly_ = HessianAssembly(model.energies, model.vertex_count());
    matrix_ = BlockMatrix(assembly_.pattern());
    if (preconditioner_ == Preconditioner::multigrid)
      memory_.multigrid = hierarchy(model, assembly_.pattern());
  }
  assembly_.assemble(objective.energies(), x, which, matrix_);
  const ContactEnergy* contact = objective.contact();
  for (int v = 0; v < model.vertex_count(); ++v) {
    matrix_.add_to_diagonal(v, objective.inertia(v));
    if (contact) matrix_.diagonal(v) += contact->hessian_psd(v, x.col(v));
  }
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
    report.linear_iterations += pcg.iterations;
  }
  return pcg;
}

PcgReport NewtonSystem::solve(const ContactRows& rows, const Points& b, const Filter& filter,
                              const PcgOptions& options, Points& d, StepReport& report) {
  if (rows.empty()) return solve(LinearSolver::pcg, b, filter, options, d, report);
  const BlockMatrix contact = rows.matrix(matrix_.rows());
  const PcgReport pcg = solve_pcg(matrix_, b, filter, options, d, &memory_, &contact);
  report.linear_iterations += pcg.iterations;
  return pcg;
}

Filter held_axes(const Model& model) {
  Filter filter;
  for (int v = 0; v < model.vertex_count(); ++v)
    if (const Vec3 fixed = Vec3::Ones() - model.free.col(v); !fixed.isZero())
      filter.hold_axes(v, fixed, Vec3::Zero());
  return filter;
}

Filter pin_filter(const Model& model, const Input& input, const Points& positions) {
  Points displacement = positions;
  apply_pins(model, input, displacement);
  displacement -= positions;
  Filter filter;
  for (int v = 0; v < model.vertex_count(); ++v)
    if (const Vec3 fixed = Vec3::Ones() - model.free.col(v); !fixed.isZero())
      filter.hold_axes(v, fixed, displacement.col(v));
  return filter;
}

}  // namespace muslin

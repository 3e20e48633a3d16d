#include "muslin/solver/newton_system.h"

// What a NewtonSystem makes once.

namespace muslin {

namespace {

// Aggregates from the cloth at rest: the majorants of its elements, and M/h² of the nominal step.
Multigrid hierarchy(const Model& model, const Controls& controls, const HessianAssembly& assembly) {
  Eigen::SparseMatrix<double> laplacian = assembly.majorant_matrix(model.energies);
  for (int e = 0; e < controls.pulls.size(); ++e) {
    const int v = controls.pulls.vertices(e)[0];
    laplacian.coeffRef(v, v) += controls.pulls.stiffness[e];
  }
  std::vector<char> held(model.vertex_count());
  for (int v = 0; v < model.vertex_count(); ++v) {
    laplacian.coeffRef(v, v) += model.mass[v] / (kNominalStep * kNominalStep);
    held[v] = controls.free.col(v).isZero();
  }
  return Multigrid(laplacian, held, assembly.pattern());
}

}  // namespace

void NewtonSystem::prepare(const Objective& objective) {
  prepare_pattern(objective);
  if (preconditioner_ == Preconditioner::multigrid && memory_.multigrid.levels() == 0)
    memory_.multigrid = hierarchy(objective.model(), objective.controls(), assembly_);
}

void NewtonSystem::prepare_pattern(const Objective& objective) {
  if (assembly_.pattern()->rows() > 0) return;
  assembly_ = HessianAssembly(objective.energies(), objective.model().vertex_count());
}

ConnectedPieces NewtonSystem::pieces(const Objective& objective) {
  prepare_pattern(objective);
  const BlockPattern& pattern = *assembly_.pattern();
  return ConnectedPieces(objective.model(), objective.controls().free, [&](int v, const auto& visit) {
    for (int s = pattern.begin[v]; s < pattern.begin[v + 1]; ++s) visit(pattern.column[s]);
  });
}

}  // namespace muslin

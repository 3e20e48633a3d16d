#include "muslin/solver/newton_system.h"

// What a NewtonSystem makes once.

namespace muslin {

namespace {

// Aggregates from the cloth at rest: the majorants of its elements and of pulls, undamped, as in a step
// without end, and M/h² of the nominal step.
Multigrid hierarchy(const Objective& objective, const HessianAssembly& assembly) {
  const Model& model = objective.model();
  const Controls& controls = objective.controls();
  Energies undamped;
  Eigen::SparseMatrix<double> laplacian =
      assembly.majorant_matrix(energies_of_step(model, controls, objective.target(), kInfinity, undamped));
  laplacian.diagonal() += model.mass / (kNominalStep * kNominalStep);
  std::vector<char> held(model.vertex_count());
  for (int v = 0; v < model.vertex_count(); ++v) held[v] = controls.free.col(v).isZero();
  return Multigrid(laplacian, held, assembly.pattern());
}

}  // namespace

void NewtonSystem::prepare(const Objective& objective) {
  if (assembly_.pattern()->rows() > 0) return;
  assembly_ = HessianAssembly(objective.energies(), objective.model().vertex_count());
  if (preconditioner_ == Preconditioner::multigrid) memory_.multigrid = hierarchy(objective, assembly_);
}

ConnectedPieces NewtonSystem::pieces(const Objective& objective) {
  prepare(objective);
  const BlockPattern& pattern = *assembly_.pattern();
  return ConnectedPieces(objective.model(), objective.controls().free, [&](int v, const auto& visit) {
    for (int s = pattern.begin[v]; s < pattern.begin[v + 1]; ++s) visit(pattern.column[s]);
  });
}

}  // namespace muslin

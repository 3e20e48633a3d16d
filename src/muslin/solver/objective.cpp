#include "muslin/solver/objective.h"

#include "muslin/core/parallel.h"
#include "muslin/solver/step.h"

namespace muslin {

namespace {
void release_held(const Points& free, Points& gradient) {
  parallel_for(static_cast<int>(free.cols()),
               [&](int v) { gradient.col(v) = gradient.col(v).cwiseProduct(free.col(v)); });
}
}  // namespace

// Terms of single vertices, in one loop: inertia and colliders.
double Objective::terms_of_vertices(const Points& x) const {
  return parallel_sum(model_.vertex_count(), 0.0, [&](int v) {
    const Vec3 away = controls_.free.col(v).cwiseProduct(x.col(v) - target_.col(v));
    return 0.5 * inertia(v) * away.squaredNorm() + (contact_ ? contact_->value(v, x.col(v)) : 0);
  });
}

void Objective::start_gradient(const Points& x, Points& gradient) const {
  gradient.resize(3, model_.vertex_count());
  parallel_for(model_.vertex_count(), [&](int v) {
    gradient.col(v) = inertia(v) * (x.col(v) - target_.col(v));
    if (contact_) gradient.col(v) += contact_->gradient(v, x.col(v));
  });
}

// Pairs; and nothing pulls on what is held.
void Objective::finish_gradient(const Points& x, Points& gradient) const {
  int active = 0;
  if (pairs_) rows(x, nullptr, active).add_gradient(gradient);
  release_held(controls_.free, gradient);
}

double Objective::value(const Points& x) const {
  const double value = terms_of_vertices(x) + elastic_energy(energies_, x);
  return pairs_ ? value + pairs_->value(x) : value;
}

void Objective::gradient(const Points& x, Scratch& scratch, Points& gradient) const {
  start_gradient(x, gradient);
  add_elastic_gradient(energies_, x, scratch, gradient);
  finish_gradient(x, gradient);
}

double Objective::value_and_gradient(const Points& x, Scratch& scratch, Points& gradient) const {
  start_gradient(x, gradient);
  const double elastic = add_elastic_value_and_gradient(energies_, x, scratch, gradient);
  finish_gradient(x, gradient);
  const double value = terms_of_vertices(x) + elastic;
  return pairs_ ? value + pairs_->value(x) : value;
}

ContactRows Objective::rows(const Points& x, const Points* moved, int& active) const {
  active = 0;
  return pairs_ ? pairs_->rows(x, moved, active) : ContactRows();
}

void Objective::gradient(const Points& x, const ContactRows& rows, Scratch& scratch, Points& gradient) const {
  start_gradient(x, gradient);
  add_elastic_gradient(energies_, x, scratch, gradient);
  rows.add_gradient(gradient);
  release_held(controls_.free, gradient);
}

void Objective::assemble_hessian(const Points& x, Hessian which, HessianAssembly& assembly,
                                 BlockMatrix& matrix) const {
  assembly.assemble(energies_, x, which, matrix);
  for (int v = 0; v < model_.vertex_count(); ++v) add_vertex_terms(v, x, matrix.diagonal(v));
}

void Objective::assemble_hessian_rows(const Points& x, Hessian which, const HessianAssembly& assembly,
                                      const RowChunk& rows) const {
  assembly.assemble_rows(energies_, x, which, rows);
  for (int v = rows.first; v < rows.last; ++v) add_vertex_terms(v, x, rows.diagonal[v - rows.first]);
}

// Of the Hessian: inertia, and colliders at vertices.
void Objective::add_vertex_terms(int vertex, const Points& x, Mat3& diagonal) const {
  diagonal.diagonal().array() += inertia(vertex);
  if (contact_) diagonal += contact_->hessian_psd(vertex, x.col(vertex));
}

Objective incremental_potential(const Model& model, const Controls& controls, const State& state, double h,
                                double velocity_loss) {
  Points target = predictor(model, controls, state, h, velocity_loss);
  auto made = std::make_shared<Energies>();
  if (&energies_of_step(model, controls, state.positions, h, *made) == &model.energies)
    return Objective(model, controls, model.energies, std::move(target), h);
  return Objective(model, controls, std::shared_ptr<const Energies>(made), std::move(target), h);
}

namespace {

// Threads of seams as long as the controls have them.
bool draws(const Model& model, const Controls& controls) {
  return model.energies.stitches.size() > 0 && !controls.stitch_length.empty();
}
void set_lengths(const Controls& controls, Energies& energies) {
  energies.stitches.edit().shapes = controls.stitch_length;
}

}  // namespace

const Energies& energies_of_step(const Model& model, const Controls& controls, const Points& before, double h,
                                 Energies& kept) {
  const bool pulls = controls.pulls.size() > 0, damps = is_damped(model.energies);
  if (!pulls && !damps && !draws(model, controls)) return model.energies;
  damp(model.energies, before, h, kept);
  damp(controls.pulls, before, h, kept.pulls);
  if (draws(model, controls)) set_lengths(controls, kept);
  return kept;
}

const Energies& energies_of_stage(const Model& model, const Controls& controls, const Points& end,
                                  const Points& way, double h, Energies& kept) {
  const bool pulls = controls.pulls.size() > 0, damps = is_damped(model.energies);
  if (!pulls && !damps && !draws(model, controls)) return model.energies;
  damp(model.energies, end, way, h, kept);
  damp(controls.pulls, end, way, h, kept.pulls);
  if (draws(model, controls)) set_lengths(controls, kept);
  return kept;
}

double root_mean_square(const Points& gradient) {
  return gradient.norm() / std::sqrt(static_cast<double>(gradient.cols()));
}

std::optional<double> lost_gravity(const Model& model, const Controls& controls, const Points& gradient) {
  const double g = controls.gravity.norm();
  if (g == 0) return {};
  const Vec3 down = controls.gravity / g;
  const Vec3 free_mass = controls.free * model.mass;
  const double weight = g * free_mass.dot(down.cwiseAbs2());
  if (!(weight > 0)) return {};
  return -gradient.rowwise().sum().dot(down) / weight;
}

}  // namespace muslin

#include "muslin/solver/solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "muslin/contact/gap.h"
#include "muslin/core/check.h"
#include "muslin/solver/families.h"

namespace muslin {

const std::vector<SolverEntry>& solvers() {
  static const std::vector<SolverEntry> table{
      {"explicit", "Verlet or symplectic Euler on springs, Provot's stretch limit, Mosegaard's relaxation",
       make_explicit, explicit_support},
      {"position", "PBD (Jacobi or Gauss-Seidel) and XPBD with small steps and the material's compliance",
       make_position, position_support},
      {"implicit", "implicit Euler as energy minimisation: diagonal descent, plain or with Chebyshev",
       make_implicit},
      {"newton",
       "Newton's method on the incremental potential: line search, projected curvature, PCG or Cholesky",
       make_newton},
      {"baraff_witkin", "Baraff and Witkin's linearised step: exact constraints, adaptive time step",
       make_baraff_witkin},
      {"block_descent",
       "block coordinate descent: a 3x3 Newton step a vertex, colour by colour, with Chebyshev",
       make_block_descent},
      {"projective", "projective dynamics in gradient form: one matrix, factored once, and L-BFGS on top",
       make_projective},
      {"quasi_newton", "L-BFGS that begins with a multigrid cycle; Newton's method where that is slow",
       make_quasi_newton},
  };
  return table;
}

namespace {

// Families, as they come, that run all energies of a model.
std::vector<std::string_view> families_for(const Model& model) {
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : solvers()) {
    bool runs = true;
    model.energies.each([&](const auto& energy) {
      runs = runs && (energy.size() == 0 || entry.support({}, energy.kName).level == Support::runs);
    });
    if (runs) names.push_back(entry.name);
  }
  return names;
}

std::string cloth_of(const Model& model, int vertex) {
  for (const ClothRange& cloth : model.cloths)
    if (vertex < cloth.first_vertex + cloth.vertex_count) return cloth.name;
  return "";
}

// Whether a collider fits through cloth between vertices that keep their distance from it: round ones
// between three that are an edge apart, a box across an edge.
bool fits_between_vertices(const Collider& collider, const Model& model, double edge) {
  const double kept = collider.margin + model.half_thickness.minCoeff();
  const double gap = collider.shape == Shape::box ? edge : 2 / std::numbers::sqrt3 * edge;
  return width_of(collider) + 2 * kept < gap;
}

std::string what_slips_through(const Model& model, const SolverSettings& settings) {
  if (keeps_out(settings)) return "";
  const double edge =
      model.edge_length.empty() ? 0 : *std::max_element(model.edge_length.begin(), model.edge_length.end());
  const bool sees_pairs =
      settings.family == "position" && settings.position.contact == PositionContact::pairs;
  std::vector<std::string> gaps;
  if (model.self_collision.enabled && !sees_pairs && model.self_distance < edge / std::numbers::sqrt2)
    gaps.push_back(fmt::format("cloth (self_collision.distance is {:.3g} mm)", 1000 * model.self_distance));
  for (const Collider& collider : model.colliders)
    if (collider.enabled && fits_between_vertices(collider, model, edge))
      gaps.push_back(
          fmt::format("collider \"{}\" ({:.3g} mm wide)", collider.name, 1000 * width_of(collider)));
  if (gaps.empty()) return "";
  return fmt::format(
      "{} keeps vertices apart, not what is between them (edges of up to {:.3g} mm): cloth may pass through "
      "{}; quasi_newton lets nothing through",
      settings.family, 1000 * edge, fmt::join(gaps, ", "));
}

}  // namespace

StepReport Solver::step(const Model& model, const Input& input, State& state, double h) {
  const std::uint64_t controls_revision = input.controls->revision;
  if (model_revision_ != model.revision || controls_revision_ != controls_revision) {
    forget();
    model_revision_ = model.revision;
    controls_revision_ = controls_revision;
  }
  return advance(model, input, state, h);
}

std::string find_refusal(const Model& model, const SolverSettings& settings) {
  const bool meets_meshes = keeps_out(settings);
  for (const Collider& collider : model.colliders)
    if (collider.shape == Shape::mesh && collider.enabled && !meets_meshes)
      return fmt::format(
          "/solver/family: {} cannot keep cloth from the mesh of collider \"{}\"; quasi_newton can",
          settings.family, collider.name);
  std::string refusal;
  for (const SolverEntry& entry : solvers()) {
    if (entry.name != settings.family) continue;
    model.energies.each([&](const auto& energy) {
      if (energy.size() == 0 || !refusal.empty()) return;
      const Support support = entry.support(settings, energy.kName);
      if (support.level != Support::refused) return;
      refusal = fmt::format("/solver/{}: {} cannot run {} of cloth \"{}\"; as they come, these can: {}",
                            support.setting, support.value, energy.kName,
                            cloth_of(model, energy.vertices(0)[0]), fmt::join(families_for(model), ", "));
    });
  }
  return refusal;
}

std::string limits_of(const Solver& solver, const Model& model, const SolverSettings& settings) {
  std::vector<std::string> limits{solver.limits(model), what_slips_through(model, settings)};
  std::erase(limits, "");
  return fmt::format("{}", fmt::join(limits, "; "));
}

std::unique_ptr<Solver> make_solver(const SolverSettings& settings) {
  for (const SolverEntry& entry : solvers())
    if (entry.name == settings.family) return entry.make(settings);
  throw Error(ErrorKind::invalid, fmt::format("/solver/family: unknown solver \"{}\"", settings.family));
}

}  // namespace muslin

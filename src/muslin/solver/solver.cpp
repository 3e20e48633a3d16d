#include "muslin/solver/solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "muslin/contact/vertices/gap.h"
#include "muslin/core/check.h"
#include "muslin/core/text.h"
#include "muslin/model/collider_shape.h"

namespace muslin {

const std::vector<SolverEntry>& solvers() {
  static const std::vector<SolverEntry> table = [] {
    std::vector<SolverEntry> entries;
#define MUSLIN_ENTRY(family, member, Settings, whose) \
  entries.push_back(family##_family());               \
  entries.back().name = #family;
    MUSLIN_SOLVER_FAMILIES(MUSLIN_ENTRY)
#undef MUSLIN_ENTRY
    return entries;
  }();
  return table;
}

namespace {

// The family that settings name, or null.
const SolverEntry* entry_of(const SolverSettings& settings) {
  for (const SolverEntry& entry : solvers())
    if (entry.name == settings.family) return &entry;
  return nullptr;
}

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
  const double gap = shape_of(collider).is_round ? 2 / std::numbers::sqrt3 * edge : edge;
  return width_of(collider) + 2 * kept < gap;
}

std::string what_slips_through(const Model& model, const SolverSettings& settings) {
  if (keeps_out(settings)) return "";
  const double edge =
      model.edge_length.empty() ? 0 : *std::max_element(model.edge_length.begin(), model.edge_length.end());
  const bool sees_pairs = keeps_pairs_apart(settings);
  std::vector<std::string> gaps;
  if (model.self_collision.enabled && !sees_pairs && model.self_distance < edge / std::numbers::sqrt2)
    gaps.push_back(fmt::format("cloth (self_collision.distance is {})", distance_text(model.self_distance)));
  for (const Collider& collider : model.colliders)
    if (collider.enabled && fits_between_vertices(collider, model, edge))
      gaps.push_back(
          fmt::format("collider \"{}\" ({} wide)", collider.name, distance_text(width_of(collider))));
  if (gaps.empty()) return "";
  return fmt::format(
      "{} keeps vertices apart, not what is between them (edges of up to {}): cloth may pass through "
      "{}; quasi_newton lets nothing through",
      settings.family, distance_text(edge), fmt::join(gaps, ", "));
}

}  // namespace

bool keeps_out(const SolverSettings& settings) {
  const SolverEntry* entry = entry_of(settings);
  return entry && entry->keeps_out;
}

bool keeps_pairs_apart(const SolverSettings& settings) {
  const SolverEntry* entry = entry_of(settings);
  return entry && entry->keeps_pairs_apart(settings);
}

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
    if (!shape_of(collider).surface && collider.enabled && !meets_meshes)
      return fmt::format(
          "/solver/family: {} cannot keep cloth from the mesh of collider \"{}\"; quasi_newton can",
          settings.family, collider.name);
  std::string refusal;
  const SolverEntry* entry = entry_of(settings);
  model.energies.each([&](const auto& energy) {
    if (!entry || energy.size() == 0 || !refusal.empty()) return;
    const Support support = entry->support(settings, energy.kName);
    if (support.level != Support::refused) return;
    refusal = fmt::format("/solver/{}: {} cannot run {} of cloth \"{}\"; as they come, these can: {}",
                          support.setting, support.value, energy.kName,
                          cloth_of(model, energy.vertices(0)[0]), fmt::join(families_for(model), ", "));
  });
  return refusal;
}

std::string limits_of(const Solver& solver, const Model& model, const SolverSettings& settings) {
  std::vector<std::string> limits{solver.limits(model), what_slips_through(model, settings)};
  std::erase(limits, "");
  return fmt::format("{}", fmt::join(limits, "; "));
}

std::unique_ptr<Solver> make_solver(const SolverSettings& settings) {
  if (const SolverEntry* entry = entry_of(settings)) return entry->make(settings);
  throw Error(ErrorKind::invalid, fmt::format("/solver/family: unknown solver \"{}\"", settings.family));
}

}  // namespace muslin

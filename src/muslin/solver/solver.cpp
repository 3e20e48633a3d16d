#include "muslin/solver/solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "muslin/contact/vertices/gap.h"
#include "muslin/core/check.h"
#include "muslin/core/maths.h"
#include "muslin/core/text.h"
#include "muslin/geometry/closed_surface.h"
#include "muslin/model/collider_shape.h"
#include "muslin/model/measure.h"

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

// Whether a family moves by conditions and an energy from outside has none.
bool lacks_condition(const Model& model, const SolverEntry& entry) {
  const auto& shapes = model.energies.custom.shapes();
  return entry.by_conditions && !std::all_of(shapes.begin(), shapes.end(),
                                             [](const auto& shape) { return shape.energy->is_square(); });
}

// Families, as they come, that run all energies of a model.
std::vector<std::string_view> families_for(const Model& model) {
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : solvers()) {
    bool runs = !lacks_condition(model, entry);
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

// Of a mesh the shortest side of its box.
double width_between_vertices(const Collider& collider) {
  if (collider.shape != Shape::mesh) return width_of(collider);
  const Points& places = collider.mesh->mesh->positions;
  return (places.rowwise().maxCoeff() - places.rowwise().minCoeff()).minCoeff();
}

// Whether a collider fits through cloth between vertices that keep their distance from it: round ones
// between three that are an edge apart, a box across an edge.
bool fits_between_vertices(const Collider& collider, const Model& model, double edge) {
  const double kept = collider.margin + model.half_thickness.minCoeff();
  const double gap = shape_of(collider).is_round ? 2 / std::numbers::sqrt3 * edge : edge;
  return width_between_vertices(collider) + 2 * kept < gap;
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
      gaps.push_back(fmt::format("collider \"{}\" ({} wide)", collider.name,
                                 distance_text(width_between_vertices(collider))));
  if (gaps.empty()) return "";
  return fmt::format(
      "{} keeps vertices apart, not what is between them (edges of up to {}): cloth may pass through "
      "{}; quasi_newton lets nothing through",
      settings.family, distance_text(edge), fmt::join(gaps, ", "));
}

// Of the allowed stretch, for doubling a part: one twice as long changes it by about four times as much,
// which it then may.
constexpr double kRoom = 0.25;
// Of the allowed error, beyond which a part is thrown away, and what the next part aims at.
constexpr double kMostError = 4, kAim = 0.7;
// Parts of the first step, whose acceleration nobody knows.
constexpr int kFirstParts = 4;

// Numbers of parts are 1, 2, 4, 8, …, by the error 3, 6, 12, …, too: the least of them that is not below
// `wanted`.
int parts_for(double wanted, int most, bool with_thirds) {
  int parts = 1;
  for (; parts < wanted && parts < most; parts *= 2)
    if (with_thirds && parts > 1 && 3 * parts / 2 >= wanted) return std::min(most, 3 * parts / 2);
  return std::min(parts, most);
}

// To the state before a part, which shall be shorter; what it learnt of the cloth stays.
void take_back(const State& before, const StepReport& report, int parts, State& state, StepReport& total) {
  const bool starts_with_newton = state.history.starts_with_newton;
  state = before;
  state.history.starts_with_newton = starts_with_newton;
  state.history.parts = parts;
  add_work(total, report);
  ++(report.parts > 1 ? total.shortened : total.rejections);
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

// A part that the family asks to cut is cut; one that stretches too much, does not converge or has too large
// an error is taken again in shorter parts. After a good one the next is as long as the error allows [Hairer
// & Wanner 1996, IV.8], or without a bound of it twice as long where the stretch leaves room. Not so after an
// impact: friction acts by the forces of the part before, and what was μ m Δv over that part would be twice
// as much over the next.
StepReport Solver::step(const Model& model, const Input& input, State& state, double h) {
  forget_if_stale(model, *input.controls);
  const Stepping* stepping = this->stepping();
  if (!stepping || !stepping->adaptive) return advance(model, input, state, h);
  StepReport total;
  const bool bounds_error = stepping->accuracy && !stepping->substeps;
  const double order = stepping->integrator == Integrator::euler ? 1 : 2;
  const int most = 1 << stepping->halvings;
  int& parts = state.history.parts;
  const bool is_first = order == 2 && state.history.accelerations.cols() == 0;
  if (bounds_error && is_first) parts = std::max(parts, kFirstParts);
  parts = std::min(parts, most);
  double done = 0;
  while (done < 1 && total.status != Status::diverged && !input.is_over()) {
    const double count = std::ceil((1 - done) * parts - 1e-9), length = (1 - done) / count;
    const double end = count == 1 ? 1 : done + length;
    const State before = state;
    Input part = part_of(input, before.positions, done, end);
    part.may_be_cut = parts < most;
    const StepReport report = advance(model, part, state, h * length);
    const double change = stretch_change(model, before.positions, state.positions);
    const double error = bounds_error ? report.time_error.value_or(0) / (*stepping->accuracy * length) : 0;
    const bool good =
        report.status == Status::ok && change <= stepping->stretch_change && error <= kMostError;
    if (report.parts > 1 || (!good && !report.jammed && part.may_be_cut)) {
      const double wanted = double(parts) * std::max(2, report.parts);
      take_back(before, report, parts_for(wanted, most, bounds_error), state, total);
      continue;
    }
    accumulate(total, report);
    ++total.steps;
    done = end;
    const bool may_grow = good && change <= kRoom * stepping->stretch_change && parts > 1 && !report.struck;
    if (bounds_error) {
      const double wanted = maths::pow(error / kAim, 1 / order) / length;
      const int next = parts_for(wanted, most, bounds_error);
      if (next > parts || may_grow) parts = std::max(next, (parts + 1) / 2);
    } else if (may_grow && std::fmod(done * parts, 2) == 0) {
      parts /= 2;
    }
  }
  return total;
}

void Solver::forget_if_stale(const Model& model, const Controls& controls) {
  if (model_revision_ == model.revision && controls_revision_ == controls.revision) return;
  forget();
  model_revision_ = model.revision;
  controls_revision_ = controls.revision;
}

SolverSettings settled(const SolverSettings& settings, const Model& model, double frame_time) {
  SolverSettings numbers = settings;
  if (const SolverEntry* entry = entry_of(settings)) entry->settle(numbers, model, frame_time);
  return numbers;
}

std::string find_refusal(const Model& model, const SolverSettings& settings) {
  for (size_t c = 0; c < model.colliders.size(); ++c) {
    const Collider& collider = model.colliders[c];
    if (!collider.enabled || collider.shape != Shape::mesh || model.collider_surfaces[c]) continue;
    if (keeps_out(settings)) break;
    return fmt::format(
        "/solver/family: {} cannot keep cloth from the mesh of collider \"{}\", which {}: only a closed one "
        "has "
        "an inside; quasi_newton can",
        settings.family, collider.name, ClosedSurface::problem(*collider.mesh->mesh));
  }
  std::string refusal;
  const SolverEntry* entry = entry_of(settings);
  if (!model.seams.empty() && entry && !entry->keeps_out)
    return fmt::format(
        "/solver/family: {} cannot run stitches: a seam closes where nothing can pass through anything, "
        "which "
        "quasi_newton promises",
        settings.family);
  if (entry && lacks_condition(model, *entry))
    return fmt::format(
        "/solver/family: {} moves vertices by conditions C with E = C^2/2, and an energy of the scene's own "
        "does not say that it has one (CustomEnergy::is_square); as they come, these can: {}",
        settings.family, fmt::join(families_for(model), ", "));
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

std::string limits_of(const Solver& solver, const Model& model, const SolverSettings& settings,
                      double frame_time) {
  std::vector<std::string> limits{solver.limits(model, frame_time), what_slips_through(model, settings)};
  std::erase(limits, "");
  return fmt::format("{}", fmt::join(limits, "; "));
}

std::unique_ptr<Solver> make_solver(const SolverSettings& settings) {
  if (const SolverEntry* entry = entry_of(settings)) return entry->make(settings);
  throw Error(ErrorKind::invalid, fmt::format("/solver/family: unknown solver \"{}\"", settings.family));
}

}  // namespace muslin

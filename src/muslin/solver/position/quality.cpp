#include "muslin/solver/position/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/maths.h"
#include "muslin/model/measure.h"
#include "muslin/solver/position/paths.h"

namespace muslin {

namespace {

// How many substeps a frame cloth too stiff to stretch needs. Of it, only three numbers are without a unit:
// the edges that it is long, the strain, and how far it falls in a substep over its length L, g h²/L, so that
// substeps of a frame of t seconds are
//
//   √(g t²/L) · scale · edges^size · strain^−fineness.
//
// Fitted to `hang` of 16 to 128 points a side (as a grid; the general path also as a Delaunay mesh), the
// scale then raised until none of them needs more, by 1.2 to 1.8: at the worst the rule takes twice as many.
// docs/performance.md has the measurements.
struct Law {
  double scale, size, fineness;

  double substeps(double edges, double strain) const {
    return scale * maths::pow(edges, size) * maths::pow(strain, -fineness);
  }
};
constexpr Law kNets{2.4, 0.58, 0.62}, kLines{3, 0.82, 0.42};
constexpr Law kTethers{0.44, 0.97, 0.93}, kGeneral{2.7, 0.94, 0.69};

// Fewer than this times √(g t²/L) dissipate so much that the sheet misses the gate of bench_hang, whatever
// its strain: six a frame of 1/60 s for cloth of 2 m.
constexpr double kLively = 161;

// Nets hold lengths at rest: cloth that its weight stretches more than that would be too stiff by them. At
// 4·10⁻⁴ `hang` moves alike with and without them, at 4·10⁻³ they take 40 % of its strain away.
constexpr double kStiffForNets = 1e-3;

constexpr double kMostSubsteps = 1000;

// Edges along the longest side of the largest cloth; of a mesh, of a square with as many vertices.
double edges_along(const Model& model) {
  double most = 2;
  for (const ClothRange& cloth : model.cloths) most = std::max(most, std::sqrt(double(cloth.vertex_count)));
  for (const GridPatch& grid : model.grids) most = std::max(most, double(std::max(grid.nu, grid.nv)));
  return most - 1;
}

// How far weight stretches cloth that hangs down by a length [m], ρ g L/k, with the mean k of warp and weft:
// the energy of cloth that is larger all over by a fraction e is k e² an area.
double strain_by_weight(const Model& model, double length) {
  constexpr double kFraction = 1e-3;
  const auto energy = [&](double size) { return elastic_energy(model.energies, size * model.start); };
  const double stiffness =
      (energy(1 + kFraction) + energy(1 - kFraction) - 2 * energy(1)) / (2 * kFraction * kFraction);
  return model.mass.sum() * model.script.gravity.norm() * length / stiffness;
}

}  // namespace

void settle_quality(SolverSettings& settings, const Model& model, double frame_time) {
  PositionSettings& position = settings.position;
  if (settings.family != "position" || !position.quality) return;
  position.iterations = 1;
  position.path = path_taken(position, model);
  const double edges = edges_along(model), length = edges * mean_edge(model);
  const double fall = std::sqrt(model.script.gravity.norm() / length) * frame_time;
  if (fall == 0) return;  // no weight to be held: substeps as they come
  const auto needed = [&](const Law& law) {
    return fall * std::max(kLively, law.substeps(edges, allowed_strain(*position.quality)));
  };
  const bool lines = position.path == PositionPath::lines,
             tethers = position.path == PositionPath::colours && !model.script.pins.empty();
  double count = needed(lines ? kLines : kGeneral);
  if ((lines || tethers) && strain_by_weight(model, length) < kStiffForNets) {
    const double by_coarse = needed(lines ? kNets : kTethers);
    position.coarse = by_coarse < count;
    count = std::min(count, by_coarse);
  }
  position.substeps = static_cast<int>(std::clamp(std::ceil(count), 1.0, kMostSubsteps));
}

std::string describe_effort(const PositionSettings& settings) {
  const int iterations = settings.iterations;
  return fmt::format("path {}, {} substeps{}{}", name_of(settings.path.value_or(PositionPath::general)),
                     settings.steps(), iterations > 1 ? fmt::format(" of {} iterations", iterations) : "",
                     settings.coarse ? ", coarse" : "");
}

}  // namespace muslin

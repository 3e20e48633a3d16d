#include "muslin/solver/position/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/maths.h"
#include "muslin/model/measure.h"
#include "muslin/solver/position/colours.h"
#include "muslin/solver/position/lines.h"

namespace muslin {

namespace {

// How many substeps a frame cloth too stiff to stretch needs. Of it, only three numbers are without a unit:
// the edges that it is long, the strain, and how far it falls in a substep over its length L, g h²/L, so that
// substeps of a frame of t seconds are
//
//   √(g t²/L) · scale · edges^size · strain^−fineness.
//
// Fitted to `hang` of 16 to 128 points a side (as a grid; the general path also as a Delaunay mesh), the
// scale then raised until none of them needs more, by 1.2 to 1.5: at the worst the rule takes twice as many.
// docs/performance.md has the measurements.
struct Law {
  double scale, size, fineness;

  double substeps(double edges, double strain) const {
    return scale * maths::pow(edges, size) * maths::pow(strain, -fineness);
  }
};
constexpr Law kNets{2.4, 0.58, 0.62}, kLines{2.5, 0.82, 0.42};
constexpr Law kTethers{0.44, 0.97, 0.93}, kGeneral{2.7, 0.94, 0.69};

// Fewer than this times √(g t²/L) dissipate so much that the sheet misses the gate of bench_hang, whatever
// its strain: six a frame of 1/60 s for cloth of 2 m.
constexpr double kLively = 161;

// Nets hold lengths at rest: cloth that its weight stretches more than that would be too stiff by them. At
// 4·10⁻⁴ `hang` moves alike with and without them, at 4·10⁻³ they take 40 % of its strain away.
constexpr double kStiffForNets = 1e-3;

constexpr double kMostSubsteps = 1000;

const Law& law_of(PositionPath path, bool coarse, bool held) {
  if (path == PositionPath::lines) return coarse ? kNets : kLines;
  return coarse && held ? kTethers : kGeneral;  // tethers need pins
}

// The first of the paths that the settings allow, the fastest before the others, which has no obstacle.
PositionPath path_that_runs(const PositionSettings& settings, const Model& model) {
  const PositionPath wanted = settings.path.value_or(PositionPath::lines);
  if (wanted == PositionPath::lines && LinePath(settings).obstacle(model, model.script).empty())
    return wanted;
  if (wanted != PositionPath::general && ColourPath(settings).obstacle(model, model.script).empty())
    return PositionPath::colours;
  return PositionPath::general;
}

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
  const PositionPath path = path_that_runs(position, model);
  if (!position.path) position.path = path;
  const double edges = edges_along(model), length = edges * mean_edge(model);
  position.coarse = path != PositionPath::general && strain_by_weight(model, length) < kStiffForNets;
  const Law& law = law_of(path, position.coarse, !model.script.pins.empty());
  const double fall = std::sqrt(model.script.gravity.norm() / length) * frame_time;
  const double count = fall * std::max(kLively, law.substeps(edges, allowed_strain(*position.quality)));
  position.substeps = static_cast<int>(std::clamp(std::ceil(count), 1.0, kMostSubsteps));
}

std::string describe_effort(const PositionSettings& settings) {
  const int iterations = settings.iterations;
  return fmt::format("path {}, {} substeps{}{}", name_of(settings.path.value_or(PositionPath::general)),
                     settings.steps(), iterations > 1 ? fmt::format(" of {} iterations", iterations) : "",
                     settings.coarse ? ", coarse" : "");
}

}  // namespace muslin

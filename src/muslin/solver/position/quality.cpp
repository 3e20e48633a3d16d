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
constexpr Law kLines{3, 0.82, 0.42}, kNets{2.4, 0.58, 0.62}, kNetsAndTethers{1.5, 0.4, 0.6};
constexpr Law kGeneral{2.7, 0.94, 0.69}, kTethers{0.44, 0.97, 0.93};

// Fewer than this times √(g t²/L) dissipate so much that the sheet misses the gate of bench_hang, whatever
// its strain: six a frame of 1/60 s for cloth of 2 m, two where grids have tethers.
constexpr double kLively = 161, kLivelyWithTethers = 54;

// Nets and tethers hold lengths at rest: cloth that its weight stretches or shears more than that would be
// too stiff by them. At 4·10⁻⁴ `hang` moves alike with and without nets, at 4·10⁻³ they take 40 % of its
// strain away.
constexpr double kStiff = 1e-3;

constexpr double kMostSubsteps = 1000;

// Edges along the longest side of the largest cloth; of a mesh, of a square with as many vertices.
double edges_along(const Model& model) {
  double most = 2;
  for (const ClothRange& cloth : model.cloths) most = std::max(most, std::sqrt(double(cloth.vertex_count)));
  for (const GridPatch& grid : model.grids) most = std::max(most, double(std::max(grid.nu, grid.nv)));
  return most - 1;
}

// k A of an energy ½ k A e² of cloth that is deformed from its start in proportion to a strain e [N m].
template <class Deformed>
double stiffness_of(const Model& model, const Deformed& deformed) {
  constexpr double kStrain = 1e-3;
  const auto energy = [&](double strain) { return elastic_energy(model.energies, deformed(strain)); };
  return (energy(kStrain) + energy(-kStrain) - 2 * energy(0)) / (kStrain * kStrain);
}

// Larger all over; the mean of warp and weft.
double stretch_stiffness(const Model& model) {
  return stiffness_of(model, [&](double strain) { return Points((1 + strain) * model.start); }) / 2;
}

// Rows of every grid pushed along themselves, each by as much more as it lies farther.
double shear_stiffness(const Model& model) {
  return stiffness_of(model, [&](double strain) {
    Points sheared = model.start;
    for (const GridPatch& grid : model.grids) {
      const Vec3 corner = model.start.col(grid.vertex(0, 0)),
                 row = (model.start.col(grid.vertex(grid.nu - 1, 0)) - corner).normalized();
      for (int j = 0; j < grid.nv; ++j)
        for (int i = 0; i < grid.nu; ++i)
          sheared.col(grid.vertex(i, j)) += strain * j * grid.spacing[1] * row;
    }
    return sheared;
  });
}

// Whether weight strains cloth that hangs down by a length [m] by less than kStiff: ρ g L/k. Of a mesh, which
// has no rows, only the stretch is known.
bool is_stiff(const Model& model, double length) {
  const double moment = model.mass.sum() * model.script.gravity.norm() * length;
  return moment < kStiff * stretch_stiffness(model) &&
         (model.grids.empty() || moment < kStiff * shear_stiffness(model));
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
  const auto needed = [&](const Law& law, double lively) {
    return fall * std::max(lively, law.substeps(edges, allowed_strain(*position.quality)));
  };
  const bool pinned = !model.script.pins.empty(), lines = position.path == PositionPath::lines;
  double count = needed(lines ? kLines : kGeneral, kLively);
  const bool has_coarse = lines || (position.path == PositionPath::colours && pinned);
  if (has_coarse && is_stiff(model, length)) {
    const double by_coarse = !lines   ? needed(kTethers, kLively)
                             : pinned ? needed(kNetsAndTethers, kLivelyWithTethers)
                                      : needed(kNets, kLively);
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

#include "muslin/solver/position/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "muslin/core/maths.h"
#include "muslin/model/measure.h"
#include "muslin/solver/position/lines.h"

namespace muslin {

namespace {

// Strain that is left is a power of the three numbers that cloth too stiff to stretch has: how many edges it
// is long, how many substeps a frame has, and how far it falls in a frame over its length,
//
//   strain = scale · edges^size · (g t²/length)^fall · substeps^−steps.
//
// Fitted to `hang` (see docs/performance.md).
struct Law {
  double scale, size, fall, steps;

  int substeps(double strain, double edges, double fall_of_frame) const {
    const double most = scale * maths::pow(edges, size) * maths::pow(fall_of_frame, fall);
    return static_cast<int>(std::clamp(std::ceil(maths::pow(most / strain, 1 / steps)), 1.0, 1000.0));
  }
};
constexpr Law kLines{1, 0.5, 0.5, 1.5}, kGeneral{1, 1, 0.5, 1.5};

// Vertices along the longest side of the largest cloth; of a mesh, of a square with as many.
double vertices_along(const Model& model) {
  double most = 1;
  for (const ClothRange& cloth : model.cloths) most = std::max(most, std::sqrt(double(cloth.vertex_count)));
  for (const GridPatch& grid : model.grids) most = std::max(most, double(std::max(grid.nu, grid.nv)));
  return most;
}

}  // namespace

void settle_quality(SolverSettings& settings, const Model& model, double frame_time) {
  PositionSettings& position = settings.position;
  if (settings.family != "position" || !position.quality) return;
  if (!position.path) {
    const bool by_lines = LinePath(position).obstacle(model, model.script).empty();
    position.path = by_lines ? PositionPath::lines : PositionPath::general;
  }
  const bool lines = position.path == PositionPath::lines;
  const double edges = vertices_along(model) - 1;
  const double fall = model.script.gravity.norm() * frame_time * frame_time / (edges * mean_edge(model));
  position.substeps = (lines ? kLines : kGeneral).substeps(allowed_strain(*position.quality), edges, fall);
  position.iterations = 1;
  position.coarse = lines;
}

std::string describe_effort(const PositionSettings& settings) {
  const int iterations = settings.iterations;
  return fmt::format("path {}, {} substeps{}{}", name_of(settings.path.value_or(PositionPath::general)),
                     settings.steps(), iterations > 1 ? fmt::format(" of {} iterations", iterations) : "",
                     settings.coarse ? ", coarse" : "");
}

}  // namespace muslin

#include "muslin/solver/position/lines.h"

#include <algorithm>

namespace muslin {

double LinePath::reach(const Model& model) const {
  double reach = 0;
  for (const GridPatch& grid : model.grids) {
    const auto start = model.start.middleCols(grid.first_vertex, grid.nu * grid.nv);
    reach = std::max(reach, (start.colwise() - model.start.col(grid.middle())).cwiseAbs().maxCoeff());
  }
  return reach;
}

std::string LinePath::find_obstacle(const Model& model) {
  materials_ = line_materials(model);
  return materials_.obstacle;
}

void LinePath::prepare(const Model&, const Controls& controls, double h) {
  lines_.clear();
  for (const GridMaterial& material : materials_.grids)
    lines_.emplace_back(material, controls, h, settings_.coarse);
}

double LinePath::project(const Points& start, Points& positions, bool measured) {
  double move = 0;
  for (GridLines& lines : lines_) move = std::max(move, lines.project(start, positions, measured));
  return move;
}

}  // namespace muslin

#include "muslin/solver/position/lines.h"

#include <algorithm>

namespace muslin {

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

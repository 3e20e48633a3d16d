#pragma once
#include <vector>

#include "muslin/solver/position/fast_path.h"
#include "muslin/solver/position/grid_lines.h"

namespace muslin {

/// The path `lines` of xpbd: all lengths of a row, a column or a diagonal of a grid are solved as one
/// tridiagonal system, many of them side by side. Error then travels along a whole line in one pass, where
/// Gauss–Seidel takes it one vertex further.
class LinePath final : public FastPath {
 public:
  using FastPath::FastPath;
  PositionPath name() const override { return PositionPath::lines; }
  double reach(const Model& model) const override;

 private:
  std::string find_obstacle(const Model& model) override;
  void prepare(const Model& model, const Controls& controls, double h) override;
  double project(const Points& start, Points& positions, bool measured) override;

  LineMaterials materials_;
  std::vector<GridLines> lines_;
};

}  // namespace muslin

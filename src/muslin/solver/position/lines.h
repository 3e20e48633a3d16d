#pragma once
#include <string>
#include <vector>

#include "muslin/model/input.h"
#include "muslin/model/report.h"
#include "muslin/solver/position/grid_lines.h"

namespace muslin {

/// The path `lines` of xpbd: all lengths of a row, a column or a diagonal of a grid are solved as one
/// tridiagonal system, many of them side by side. Error then travels along a whole line in one pass, where
/// Gauss–Seidel takes it one vertex further.
class LinePath {
 public:
  explicit LinePath(const PositionSettings& settings) : settings_(settings) {}

  /// Why these settings, this model and these controls are not for lines; "" if they are.
  const std::string& obstacle(const Model& model, const Controls& controls);

  /// Predicts, projects, meets colliders: as the general path does, with one projection a step.
  StepReport advance(const Model& model, const Input& input, State& state, double h);

  /// The model or the controls are others.
  void forget();

 private:
  const PositionSettings settings_;
  bool looked_ = false;
  std::string obstacle_;
  LineMaterials materials_;
  double step_ = 0;  // [s] that lines_ are made for
  std::vector<GridLines> lines_;
  Points next_;  // positions of the step, kept so that none is allocated
};

}  // namespace muslin

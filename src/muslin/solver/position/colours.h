#pragma once
#include <vector>

#include "muslin/solver/position/colour_stream.h"
#include "muslin/solver/position/fast_path.h"
#include "muslin/solver/position/tethers.h"

namespace muslin {

/// The path `colours` of xpbd: elements that share no vertex are projected side by side in vector registers,
/// colour after colour, in float; then springs along lines of the mesh, whole lines at once. Any mesh;
/// Gauss–Seidel as on the general path, in another order.
class ColourPath final : public FastPath {
 public:
  using FastPath::FastPath;
  PositionPath name() const override { return PositionPath::colours; }
  double reach(const Model& model) const override;

 private:
  std::string find_obstacle(const Model& model) override { return colour_obstacle(model); }
  void prepare(const Model& model, const Controls& controls, double h) override;
  double project(const Points& start, Points& positions, bool measured) override;

  std::vector<ColourStream> streams_;
  MeshLines lines_;
  Tethers tethers_;  // if settings ask for what is coarse
  bool damped_ = false;
  std::vector<float> place_, start_;  // as in ColourJob
};

}  // namespace muslin

#pragma once
#include <vector>

#include "muslin/model/input.h"
#include "muslin/solver/position/grid_kernels.h"
#include "muslin/solver/position/line_layout.h"

namespace muslin {

/// Tethers (tethers.h) of one grid, from pins along straight lines of the flat cloth.
class GridTethers {
 public:
  GridTethers() = default;
  /// Of a patch whose places are in `grid`, not in its transpose.
  GridTethers(const GridPatch& patch, const LineLayout& grid, const Controls& controls);

  /// Moves vertices that are too far onto the sphere about their pin.
  void pull(LineLayout& grid) const;

 private:
  std::vector<std::ptrdiff_t> anchors_;  // elements of the pins in the planes
  std::vector<TetherBlock> blocks_;      // row by row
  std::vector<int> first_;               // block of each row, and the end
};

}  // namespace muslin

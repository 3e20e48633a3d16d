#include "muslin/solver/position/grid_tethers.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "muslin/core/maths.h"
#include "muslin/solver/position/tethers.h"

namespace muslin {

GridTethers::GridTethers(const GridPatch& patch, const LineLayout& grid, const Controls& controls) {
  const int n = patch.nu * patch.nv;
  std::vector<int> pins;
  for (const PinnedVertex& pin : controls.pins)
    if (pin.vertex >= patch.first_vertex && pin.vertex < patch.first_vertex + n)
      pins.push_back(pin.vertex - patch.first_vertex);
  const NearestPins nearest = nearest_pins(n, pins, [&](int pin) {
    std::vector<double> distances(n);
    for (int v = 0; v < n; ++v) {
      const int across = v % patch.nu - pin % patch.nu, along = v / patch.nu - pin / patch.nu;
      distances[v] = maths::hypot(across * patch.spacing[0], along * patch.spacing[1]);
    }
    return distances;
  });

  for (const int pin : nearest.anchors) anchors_.push_back(grid.at(pin / patch.nu, pin % patch.nu));

  constexpr float kNone = 1e30f;
  for (int j = 0; j < patch.nv; ++j) {
    first_.push_back(static_cast<int>(blocks_.size()));
    for (int begin = 0; begin < patch.nu; begin += kTetherBlock)
      for (int anchor = 0; anchor < static_cast<int>(anchors_.size()); ++anchor) {
        TetherBlock block{grid.at(j, begin), anchor, {}};
        std::fill(std::begin(block.longest), std::end(block.longest), kNone);
        bool is_needed = false;
        for (int i = begin; i < std::min(begin + kTetherBlock, patch.nu); ++i)
          for (const NearestPins::Reach& reach : nearest.of[j * patch.nu + i]) {
            const bool is_free = grid.inverse_mass[grid.at(j, i)] > 0;
            if (!is_free || reach.anchor != anchor || !std::isfinite(reach.length)) continue;
            block.longest[i - begin] = float(reach.length);
            is_needed = true;
          }
        if (is_needed) blocks_.push_back(block);
      }
  }
  first_.push_back(static_cast<int>(blocks_.size()));
}

void GridTethers::pull(LineLayout& grid) const {
  if (blocks_.empty()) return;
  std::vector<float> anchors[3];  // copied: whoever pulls moves no pin
  for (int axis = 0; axis < 3; ++axis)
    for (const std::ptrdiff_t at : anchors_) anchors[axis].push_back(grid.place[axis][at]);
  for_all_lines(grid.along * grid.lanes, grid.along, [&](int j) {
    chosen_grid_kernels().pull(grid.places(), {anchors[0].data(), anchors[1].data(), anchors[2].data()},
                               blocks_.data() + first_[j], first_[j + 1] - first_[j]);
  });
}

}  // namespace muslin

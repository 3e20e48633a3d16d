#pragma once
#include <vector>

#include "muslin/solver/position/coarse_net.h"
#include "muslin/solver/position/grid_tethers.h"
#include "muslin/solver/position/line_layout.h"
#include "muslin/solver/position/line_springs.h"

namespace muslin {

/// XPBD of one grid, line by line, in float. Numbers are relative to a vertex in the middle: the rounding of
/// a place is some 1e-7 of the grid's size, wherever in the world it is. Positions stay double outside, and
/// what comes back is added to them.
class GridLines {
 public:
  /// For steps of h seconds with these pins; `coarse`: with coarse nets (coarse_net.h) and tethers.
  GridLines(const GridMaterial& material, const Controls& controls, double h, bool coarse);

  /// Moves the predicted positions [m] of the model to where the conditions are met. The largest move [m] if
  /// it is to be measured, else 0.
  double project(const Points& start, Points& positions, bool measured);

 private:
  struct Family;  // of chains side by side
  void add_family(const LineFamily& springs, double h);
  void add_bending(const GridMaterial& material, bool transposed, double h);
  template <class Body>
  void for_all_tiles(const Body& body) const;
  void load(const Points& from, std::vector<float> (&planes)[3]) const;
  void store(Points& positions);
  double largest_move(const Points& before) const;
  void solve(const Family& family);
  void bend(LineLayout& layout);
  void twist();

  struct Family {
    bool transposed;
    int slope, reach;
    float rest, shift;
    std::vector<float> compliance;  // a lane, with padding
    std::vector<float> acts;        // a lane, with padding: of slanted chains
  };

  GridPatch patch_;
  bool damped_;
  LineLayout grid_, transpose_;
  std::vector<CoarseNet> nets_;  // the coarsest first
  GridTethers tethers_;
  std::vector<Family> families_;
  float twist_compliance_ = 0, twist_shift_ = 0;  // 0: no twist
  Vec3 origin_ = Vec3::Zero();
};

}  // namespace muslin

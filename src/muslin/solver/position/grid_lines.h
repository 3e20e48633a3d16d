#pragma once
#include <vector>

#include "muslin/solver/position/kernels.h"
#include "muslin/solver/position/line_springs.h"

namespace muslin {

/// One of the two layouts of a grid's numbers: rows of `lanes` numbers, `along` rows; chains go from row to
/// row. The grid itself has chains along v (columns), its transpose along u.
struct LineLayout {
  int along = 0, lanes = 0;
  std::ptrdiff_t pitch = 0;  ///< from row to row: lanes and padding on both sides
  std::vector<float> place[3], start[3], inverse_mass;
  std::vector<float> factors;  ///< of bending along the chains; empty: none
  float bend_shift = 0;

  void resize(int rows, int columns);
  std::ptrdiff_t at(int row, int lane) const { return row * pitch + lane + kPadding; }
  Planes places() { return {place[0].data(), place[1].data(), place[2].data()}; }
  Planes starts() { return {start[0].data(), start[1].data(), start[2].data()}; }

  static constexpr int kPadding = 16;  ///< before a row; after it there are at least kMostLanes
};

/// XPBD of one grid, line by line, in float. Numbers are relative to a vertex in the middle: the rounding of
/// a place is some 1e-7 of the grid's size, wherever in the world it is. Positions stay double outside, and
/// what comes back is added to them.
class GridLines {
 public:
  /// For steps of h seconds with these pins.
  GridLines(const GridMaterial& material, const Controls& controls, double h);

  /// Moves the predicted positions [m] of the model to where the conditions are met. The largest move [m].
  double project(const Points& start, Points& positions);

 private:
  struct Family;  // of chains side by side
  void add_family(const LineFamily& springs, double h);
  void add_bending(const GridMaterial& material, bool transposed, double h);
  void load(const Points& from, LineLayout& to, bool transposed, std::vector<float> (&planes)[3]) const;
  void turn(std::vector<float> (&from)[3], std::vector<float> (&to)[3]) const;
  double store(Points& positions) const;
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
  std::vector<Family> families_;
  float twist_compliance_ = 0, twist_shift_ = 0;  // 0: no twist
  Vec3 origin_ = Vec3::Zero();
};

}  // namespace muslin

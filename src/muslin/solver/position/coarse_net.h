#pragma once
#include "muslin/model/input.h"
#include "muslin/solver/position/grid_kernels.h"
#include "muslin/solver/position/line_layout.h"

namespace muslin {

/// A net of some of a grid's vertices, whose lengths along rows, columns and both diagonals may not exceed
/// those at rest: how far a pull reaches in one substep. Fine lines alone carry a length's error from line to
/// line, one a pass, so that large cloth stretches at its pins unless substeps are many.
///
/// Positions of a two-grid cycle: a node is the mean of the vertices about it, weighted by mass and by the
/// interpolation P; nodes are held to their lengths, and vertices move by P times what nodes moved by. The
/// nodes' masses are lumped, Pᵀm, so that no momentum is made. It acts only where an edge of
/// the net is too long; a net that is nowhere taut changes nothing.
class CoarseNet {
 public:
  /// Every stride-th row and column, the first and the last, and those of up to kPinLines held vertices, of
  /// the grid whose transpose `fine` is.
  CoarseNet(const GridPatch& patch, const LineLayout& fine, const Controls& controls, int stride);

  /// Moves the places of the transpose.
  void correct(LineLayout& fine);

 private:
  // Rows (or columns) that have nodes. A vertex is between two of them: cell and fraction of the way.
  struct Axis {
    std::vector<int> nodes, cell;
    std::vector<float> fraction;
  };
  // Chains from row to row of a layout, aside by slope, with what their edges may measure at most.
  struct Family {
    int slope;
    std::vector<float> longest;
  };

  // Of the vertices about a node.
  struct Moments {
    double mass = 0;           // [kg]
    Vec2 mean = Vec2::Zero();  // place at rest [m]
    double variance = 0;       // of it [m²]
    bool held = false;         // then the node is the held vertex alone
  };

  static Axis axis(int count, int stride, const std::vector<int>& extra);
  Family family(const LineLayout& layout, bool transposed, int slope) const;
  void lump_masses(const LineLayout& fine, const Vec2& spacing);
  void take(const LineLayout& fine);
  void limit(LineLayout& layout, const Family& family);
  bool is_moved() const;
  void spread(LineLayout& fine);
  NetRows rows(const LineLayout& fine, int begin, int end) const;
  int end_of_cell(int b) const;

  Axis u_, v_;
  LineLayout grid_, transpose_;  // of the nodes
  Family slanted_[2], along_u_, along_v_;
  std::vector<Moments> moments_;    // a node, in the transpose's order
  std::vector<float> compliance_;   // a lane
  std::vector<float> mass_, free_;  // a vertex: [kg] and 1, or 0 where it is held
  std::vector<float> taken_[3];     // places of the nodes before, as in transpose_
  std::vector<float> rows_[3];  // a row of nodes, a lane of vertices: sums of mass times place, then moves
};

/// The nets of a grid, the coarsest first: none for one of few vertices, two for a large one.
std::vector<CoarseNet> coarse_nets(const GridPatch& patch, const LineLayout& fine, const Controls& controls);

}  // namespace muslin

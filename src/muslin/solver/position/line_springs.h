#pragma once
#include <string>
#include <vector>

#include "muslin/model/model.h"

namespace muslin {

/// All springs of a grid between vertices that lie alike: (i, j) and (i + di, j + dj).
struct LineFamily {
  int di, dj;
  double rest_length = 0;         ///< [m]
  double damping = 0;             ///< [s]
  std::vector<double> stiffness;  ///< [N/m] of the springs along one line: a row's or column's number for
                                  ///< rows and columns, one for all diagonals
};

/// A grid as line solves see it.
struct GridMaterial {
  GridPatch patch;
  std::vector<LineFamily> families;
  double bend_damping = 0;  ///< [s]
};

/// The grids of a model whose energies are nothing but lines of springs and flat plates; else a reason, as
/// "cloth \"skirt\" is no grid", and no grids.
struct LineMaterials {
  std::vector<GridMaterial> grids;
  std::string obstacle;
};
LineMaterials line_materials(const Model& model);

}  // namespace muslin

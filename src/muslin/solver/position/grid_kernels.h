#pragma once
#include <cstddef>

#include "muslin/solver/position/kernels.h"

// Loops over the vertices of one grid, compiled once for every width of vectors, as kernels.h. Numbers of
// vertices do not meet: all widths have the same bits.

namespace muslin {

/// Rows begin … end − 1 of a grid as positions have it, xyzxyz…, and its planes.
struct GridRows {
  std::ptrdiff_t nu;  ///< vertices a row
  int begin, end;
  const double* origin;  ///< [m] what places are relative to
  Planes place;          ///< of vertex (0, 0)
  std::ptrdiff_t pitch;  ///< from row to row; of the transpose: from column to column
};

inline constexpr int kTetherBlock = 16;  ///< vertices side by side in a row

/// Of a block of vertices: how far each may be from one pin.
struct TetherBlock {
  std::ptrdiff_t first;         ///< element of the block's first vertex in the planes
  int anchor;                   ///< number of the pin
  float longest[kTetherBlock];  ///< [m]; too long to be squared: no tether
};

/// Between a net and the rows of a grid's transpose that it spans. Row r is the fraction[r] of the way from
/// the net's row cell[r] to the next.
struct NetRows {
  const int* cell;
  const float* fraction;
  std::ptrdiff_t pitch;  ///< of the grid
  int begin, end;        ///< rows begin … end − 1
  int lanes;             ///< of a row; of the net's arrays, from row to row
};

struct GridKernels {
  /// place = x − origin in float, into the planes of the transpose.
  void (*load)(const GridRows& rows, const double* x);
  /// x += place − (x − origin in float): held vertices, whose float is the same as before, stay to the bit.
  void (*store)(const GridRows& rows, double* x);
  /// Moves vertices that are too far from a pin onto the sphere about it, block after block.
  void (*pull)(const Planes& place, const Planes& anchors, const TetherBlock* blocks, int count);
  /// sums += the grid's numbers times their weights, divided among the net's two rows about each.
  void (*gather)(const NetRows& rows, const float* weights, const float* numbers, float* sums);
  /// numbers += what the net's rows say between them, times 1 or 0 of `free`.
  void (*spread)(const NetRows& rows, const float* free, const float* net, float* numbers);
};

/// Those in use: the widest of core/simd.h.
const GridKernels& chosen_grid_kernels();

// One file each; null where it was not compiled for such processors.
const GridKernels* plain_grid_kernels();
const GridKernels* avx2_grid_kernels();

}  // namespace muslin

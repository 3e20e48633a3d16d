#pragma once
#include <cstddef>

// The inner loops of line solves, compiled once for every width of vectors. A lane is a chain of its own, so
// that the width never changes a sum: all widths give the same bits (IEEE square root and division, no
// estimates, no fused multiply-add). Plain pointers alone, as what these files include is compiled for
// processors that the rest of the library may not meet.

namespace muslin {

/// Planar coordinates of one patch [m], relative to a place near it.
struct Planes {
  float *x, *y, *z;
};

/// As many chains side by side as a kernel has lanes. Lane l's vertex k is element first + l + k·step.
struct ChainJob {
  Planes place;
  const float* inverse_mass;  ///< [1/kg], one an element; 0: held, or padding
  Planes start;               ///< places at the start of the step; read where shift > 0
  std::ptrdiff_t first, step;
  int vertices;
  const float* acts;  ///< one an edge: 1, or 0 where there is none: lane l's edge k is acts[l + k·acts_step]
  std::ptrdiff_t acts_step;
  float rest;   ///< length of every edge [m]
  float shift;  ///< by damping: fraction of the rest length that is the edge's length at the start
  const float* compliance;  ///< one a lane: 1/(k h²) [1/kg]
  const float* longest;     ///< [m] one an edge, at its later vertex: read by `limit` instead of rest
};

/// Bending of as many lines side by side, by second differences s_k = x_{k−1} − 2x_k + x_{k+1}, E = ½B Σ|s|².
/// Implicit Euler of it alone, (I + cDᵀD) δ = −cDᵀ(s − shift·s_start), c = h²wB, is a pentadiagonal system
/// whose factors L and U are constant.
struct BendJob {
  Planes place, start;
  std::ptrdiff_t first, step;
  int vertices;
  float shift;           ///< as in ChainJob
  const float* factors;  ///< planes of kBendFactors numbers an element: c, L's two, 1/diagonal and two of U
  std::ptrdiff_t plane;  ///< elements from one of these planes to the next
};
inline constexpr int kBendFactors = 6;

struct Kernels {
  const char* name;   ///< "avx2"
  int lanes;          ///< of chains along rows of memory …
  int slanted_lanes;  ///< … and of those that go aside by one element a vertex
  int scratch;        ///< floats a vertex that a job needs
  void (*straight)(const ChainJob& job, float* scratch);
  void (*slanted)(const ChainJob& job, float* scratch);
  void (*limit)(const ChainJob& job, float* scratch);  ///< one-sided, `slanted_lanes` chains
  void (*bend)(const BendJob& job, float* scratch);
};
inline constexpr int kMostLanes = 32;
inline constexpr int kChainScratch = 5;  ///< floats an edge of a chain needs: normal, g, q of solve_chains

/// Those in use: the widest of core/simd.h.
const Kernels& chosen_kernels();

// One file each; null where it was not compiled for such processors.
const Kernels* plain_kernels();
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();

}  // namespace muslin

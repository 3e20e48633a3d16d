#pragma once
#include "muslin/geometry/lane_distances.h"

// The inner loop of the filter before detection (near_filter.h), for four elements of each side at once.
// Plain data alone, as what these files include is compiled for processors that the rest of the library may
// not meet.

namespace muslin {

/// Of the rest distance of two elements of one piece: the most that the radius of their pair may be.
inline constexpr double kRestFraction = 0.5;

/// Four elements of a kind (points: 1, edges: 2, triangles: 3), side by side.
template <std::size_t N>
struct FourElements {
  FourVectors corner[N], rest[N];  ///< [m] from their origins
  FourVectors way;                 ///< mean of the corners' [m]
  Floats half_thickness;           ///< [m]
  Floats reach;                    ///< how far from the corners the element may be besides [m]
  Ints piece;
};

/// Of `hits`, bit 4 i + k of which is for element i of a and element k of b, those that may be near enough.
struct NearKernels {
  int (*points_and_triangles)(const FourElements<1>& a, const FourElements<3>& b, int hits);
  int (*edges)(const FourElements<2>& a, const FourElements<2>& b, int hits);
};

/// Those in use.
const NearKernels& near_kernels();

// One file each; null where it was not compiled for such processors.
const NearKernels* plain_near_kernels();
const NearKernels* avx2_near_kernels();

}  // namespace muslin

#pragma once
#include <limits>
#include <vector>

#include "muslin/model/pieces.h"
#include "muslin/model/scene.h"

namespace muslin {

/// What the triangles of a cloth are made of, region by region.
struct ClothFabrics {
  std::vector<Fabric> all;       ///< the cloth's own, then those of its regions
  std::vector<int> of_triangle;  ///< one a triangle: which of them; empty: the cloth's own
  std::vector<double> friction;  ///< one a vertex: its own coefficient, or NaN; empty: none has one

  const Fabric& of(int triangle) const { return all[of_triangle.empty() ? 0 : of_triangle[triangle]]; }
  bool is_one() const { return of_triangle.empty(); }
};

/// Of a cloth with resolved fabrics whose placed mesh is `mesh`, by the numbers of that.
ClothFabrics fabrics_of(const Cloth& cloth, const Mesh& mesh);

/// The same by the numbers of one of its pieces.
ClothFabrics fabrics_in(const ClothPiece& piece, const ClothFabrics& fabrics);

/// What of the regions of a cloth does not fit its mesh: unknown names, places without a triangle. Paths
/// begin with `path`.
std::vector<Problem> region_problems(const std::string& path, const Cloth& cloth, const Mesh& mesh);

}  // namespace muslin

#pragma once
#include <string>
#include <vector>

#include "muslin/geometry/mesh.h"
#include "muslin/pattern/pattern.h"

namespace muslin {

/// A stitch of a pattern between the vertices of its mesh.
struct PatternSeam {
  std::string name;                   ///< "front 4 – back 2"
  double length_a = 0, length_b = 0;  ///< of its sides [m]
  double twist_as_is = 0,
         twist_turned = 0;  ///< how far its ends are apart, and would be with one side reversed [m]
  std::vector<Stencil<2>> stitches{};  ///< vertices of side a and side b that meet

  /// Whether its sides look as if they ran against each other.
  bool is_twisted() const { return twist_as_is > 2 * twist_turned && twist_as_is > 0.1 * length_a; }
};

/// A pattern as triangles: panels are objects, both sides of a stitch have as many vertices.
struct PatternMesh {
  Mesh mesh;    ///< where the pattern places its panels [m]; uv: as they are cut, beside each other [m]
  Points rest;  ///< as they are cut, beside each other in the plane z = 0 [m]; 3×n
  std::vector<std::vector<std::vector<int>>>
      edges;                         ///< of every panel and edge: its vertices, from begin to end
  std::vector<PatternSeam> seams;    ///< one a stitch of the pattern
  std::vector<std::string> words{};  ///< what looks unintended, one sentence each
};

/// Panels with edges of this length [m]. An edge of a seam that is shorter than half of it, on both sides,
/// becomes one vertex. Throws Error(invalid) with find_problems of the pattern, or for more vertices than
/// `most`.
PatternMesh make_mesh(const SewingPattern& pattern, double resolution, int most);

}  // namespace muslin

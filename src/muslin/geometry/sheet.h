#pragma once
#include "muslin/geometry/mesh.h"

namespace muslin {

/// Which way the cells of a grid are cut into triangles; a is the corner of lowest index, d its opposite.
enum class Diagonals {
  forward,      ///< a–d everywhere
  backward,     ///< b–c everywhere
  alternating,  ///< a–d where the cell's column + row is even, b–c elsewhere
};

/// A flat rectangular sheet of points[0] × points[1] vertices. Vertex (i, j) has index j·points[0] + i and
/// lies at origin + u·i/(points[0]−1) + v·j/(points[1]−1); uv runs in metres along u and v. Cells are cut as
/// (a, b, d), (a, d, c) or (b, c, a), (d, c, b) with b = a + 1, c = a + points[0].
Mesh make_sheet(const std::array<int, 2>& points, const Vec3& origin, const Vec3& u, const Vec3& v,
                Diagonals diagonals);

}  // namespace muslin

#pragma once
#include <Eigen/Geometry>

#include "muslin/core/maths.h"
#include "muslin/energy/storage.h"

namespace muslin {

/// The six vertices of a bending element: a triangle v₀ v₁ v₂, then the tip of the neighbour across the edge
/// opposite to each of them. A missing neighbour repeats that vertex: tip k equals v_k.
using PlateStencil = Stencil<6>;

/// Whether edge k (0, 1, 2) of the triangle, opposite to its vertex k, has no neighbour.
inline bool is_border(const PlateStencil& stencil, int k) { return stencil[3 + k] == stencil[k]; }

/// Bending rigidity [N·m] along warp and weft; twisting costs √(warp·weft)/2 per (2κ_uv)², Poisson's ratio is
/// 0.
struct Rigidity {
  double warp;  ///< of curvature along the warp
  double weft;  ///< of curvature along the weft
};

/// A triangle of a plate with its neighbours, at rest. The angles θ_k between the triangle and neighbour k,
/// over edges of length l_k, make the curvature in Morley's element [Morley 1971], whose normal at the middle
/// of an edge is the mean of both triangles' normals weighted by distance [Grinspun 2006]:
///
///   S = 1/A Σ f_k l_k θ_k n_k n_kᵀ,   f_k = h_own / (h_own + h_neighbour),   E = A/2 Sᵀ C S
///
/// with the heights h over the edge, the edge's normal n_k in the plane, and S as (S_uu, S_vv, 2 S_uv). The
/// normal over a border is free to turn, so that a border bears no moment.
struct PlateTriangle {
  Mat3 root;                           ///< R [√(N/m)]: E = ½ |R b|² with b_k = l_k θ_k
  Eigen::Matrix<double, 3, 6> hinges;  ///< b = Σ hinges(k, i) xᵢ near the plane
                                       ///< [Bergou 2006]; zero rows at borders
  Vec3 length;                         ///< l_k [m]
};

/// `rest` are the positions of the stencil; `warp` is a unit vector in the plane of the triangle.
PlateTriangle plate_triangle(const PlateStencil& stencil, const Local<6>& rest, const Vec3& warp,
                             const Rigidity& rigidity);

/// The four vertices of hinge k of a plate stencil: the edge counter-clockwise, the own tip, the neighbour's.
constexpr Stencil<4> hinge_slots(int k) { return {(k + 1) % 3, (k + 2) % 3, k, 3 + k}; }

/// The hinges of many plate elements. Two triangles share one: each is here once.
struct PlateHinges {
  std::vector<Stencil<4>> vertices;    ///< of each: the edge, the tip of the one triangle, that of the other
  std::vector<Stencil<2>> places;      ///< of each: 3e + k, where it is hinge k of element e; -1: of one only
  std::vector<Stencil<3>> of_element;  ///< hinges of an element's three edges; -1: border
  Incidence incidence;                 ///< the hinges about every vertex

  PlateHinges() = default;
  /// Of elements with these stencils.
  PlateHinges(int vertex_count, const std::vector<PlateStencil>& stencils);

  /// How many there are.
  int size() const { return static_cast<int>(vertices.size()); }
};

/// The signed angle between two triangles over the edge p q, positive where they turn their fronts apart, and
/// zero in a plane; a and b are the tips, (p, q, a) counter-clockwise. In (−π, π].
template <class T>
T dihedral_angle(const Eigen::Vector3<T>& p, const Eigen::Vector3<T>& q, const Eigen::Vector3<T>& a,
                 const Eigen::Vector3<T>& b) {
  using maths::atan2;
  const Eigen::Vector3<T> edge = q - p;
  const Eigen::Vector3<T> own = edge.cross(Eigen::Vector3<T>(a - p));
  const Eigen::Vector3<T> other = Eigen::Vector3<T>(b - p).cross(edge);
  return atan2(own.cross(other).dot(edge), own.dot(other) * edge.norm());
}

}  // namespace muslin

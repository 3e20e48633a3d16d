#pragma once
#include "muslin/energy/storage.h"

namespace muslin {

/// A triangle at rest in its plane: the gradient operator and the area.
template <class T>
struct RestTriangleOf {
  Eigen::Vector3<T> u;  ///< [1/m]: ∂x/∂u = Σ u[i] xᵢ along the warp
  Eigen::Vector3<T> v;  ///< [1/m]: ∂x/∂v = Σ v[i] xᵢ across it
  T area;               ///< [m²]
};
/// In double, as models store it.
using RestTriangle = RestTriangleOf<double>;

/// The rest triangle of positions x₀ x₁ x₂, with the warp's direction (a unit vector in its plane).
RestTriangle rest_triangle(const Local<3>& rest, const Vec3& warp);

/// Two vectors in the place of ∂x/∂u and ∂x/∂v: the deformation gradient, or an energy's derivative by it.
template <class T>
struct WarpWeft {
  Eigen::Vector3<T> u;  ///< along the warp
  Eigen::Vector3<T> v;  ///< along the weft
};

/// A symmetric 6×6 matrix on WarpWeft: vu is uvᵀ.
template <class T>
struct WarpWeftHessian {
  Eigen::Matrix3<T> uu;  ///< by warp and warp
  Eigen::Matrix3<T> uv;  ///< by warp (rows) and weft (columns)
  Eigen::Matrix3<T> vv;  ///< by weft and weft
};

// `inline` is said of these templates because GCC then expands more of them: without it, explicit steps of
// triangles took 6 % more instructions.

/// F = (∂x/∂u, ∂x/∂v) of a triangle with vertices at x: unit vectors at right angles where it is unstrained.
template <class T>
inline WarpWeft<T> deformation_gradient(const RestTriangleOf<T>& triangle, const Local<3, T>& x) {
  return {x * triangle.u, x * triangle.v};
}

/// The gradient by the vertices of an energy with the given derivative per area.
template <class T>
inline Local<3, T> gradient_on_vertices(const RestTriangleOf<T>& triangle, const WarpWeft<T>& stress) {
  Local<3, T> gradient;
  for (int i = 0; i < 3; ++i)
    gradient.col(i) = (triangle.area * triangle.u[i]) * stress.u + (triangle.area * triangle.v[i]) * stress.v;
  return gradient;
}

/// The Hessian by the vertices of an energy with the given second derivative per area.
template <class T>
inline LocalHessian<3, T> hessian_on_vertices(const RestTriangleOf<T>& triangle,
                                              const WarpWeftHessian<T>& h) {
  const auto& [u, v, area] = triangle;
  LocalHessian<3, T> result;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      const Eigen::Matrix3<T> block = (area * u[i] * u[j]) * h.uu + (area * u[i] * v[j]) * h.uv +
                                      (area * v[i] * u[j]) * h.uv.transpose() + (area * v[i] * v[j]) * h.vv;
      result.template block<3, 3>(3 * i, 3 * j) = block;
      if (j > i) result.template block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  return result;
}

/// The diagonal block of vertex i in hessian_on_vertices.
template <class T>
inline Eigen::Matrix3<T> hessian_on_vertex(const RestTriangleOf<T>& triangle, int i,
                                           const WarpWeftHessian<T>& h) {
  const T u = triangle.u[i], v = triangle.v[i];
  return triangle.area * (u * u * h.uu + u * v * (h.uv + h.uv.transpose()) + v * v * h.vv);
}

/// The majorant of a membrane that is at most `warp` and `weft` stiff [N/m] along every direction of space.
template <class T>
inline Pairs<3, T> majorant_on_vertices(const RestTriangleOf<T>& triangle, const T& warp, const T& weft) {
  return triangle.area *
         (warp * triangle.u * triangle.u.transpose() + weft * triangle.v * triangle.v.transpose());
}

}  // namespace muslin

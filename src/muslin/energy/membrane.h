#pragma once
#include "muslin/energy/energy.h"

namespace muslin {

/// A triangle at rest in its plane: the gradient operator and the area.
struct RestTriangle {
  Vec3 u, v;    ///< [1/m]: ∂x/∂u = Σ u[i] xᵢ along the warp, ∂x/∂v = Σ v[i] xᵢ across it
  double area;  ///< [m²]
};

/// The rest triangle of positions x₀ x₁ x₂, with the warp's direction (a unit vector in its plane).
RestTriangle rest_triangle(const Local<3>& rest, const Vec3& warp);

/// Two vectors in the place of ∂x/∂u and ∂x/∂v: the deformation gradient, or an energy's derivative by it.
struct WarpWeft {
  Vec3 u, v;
};

/// A symmetric 6×6 matrix on WarpWeft: vu is uvᵀ.
struct WarpWeftHessian {
  Mat3 uu, uv, vv;
};

inline WarpWeft deformation_gradient(const RestTriangle& triangle, const Local<3>& x) {
  return {x * triangle.u, x * triangle.v};
}

/// The gradient by the vertices of an energy with the given derivative per area.
inline Local<3> gradient_on_vertices(const RestTriangle& triangle, const WarpWeft& stress) {
  Local<3> gradient;
  for (int i = 0; i < 3; ++i)
    gradient.col(i) = (triangle.area * triangle.u[i]) * stress.u + (triangle.area * triangle.v[i]) * stress.v;
  return gradient;
}

/// The Hessian by the vertices of an energy with the given second derivative per area.
inline LocalHessian<3> hessian_on_vertices(const RestTriangle& triangle, const WarpWeftHessian& h) {
  const auto& [u, v, area] = triangle;
  LocalHessian<3> result;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      const Mat3 block = (area * u[i] * u[j]) * h.uu + (area * u[i] * v[j]) * h.uv +
                         (area * v[i] * u[j]) * h.uv.transpose() + (area * v[i] * v[j]) * h.vv;
      result.block<3, 3>(3 * i, 3 * j) = block;
      if (j > i) result.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  return result;
}

/// The diagonal block of vertex i in hessian_on_vertices.
inline Mat3 hessian_on_vertex(const RestTriangle& triangle, int i, const WarpWeftHessian& h) {
  const double u = triangle.u[i], v = triangle.v[i];
  return triangle.area * (u * u * h.uu + u * v * (h.uv + h.uv.transpose()) + v * v * h.vv);
}

/// The majorant of a membrane that is at most `warp` and `weft` stiff [N/m] along every direction of space.
inline Pairs<3> majorant_on_vertices(const RestTriangle& triangle, double warp, double weft) {
  return triangle.area *
         (warp * triangle.u * triangle.u.transpose() + weft * triangle.v * triangle.v.transpose());
}

}  // namespace muslin

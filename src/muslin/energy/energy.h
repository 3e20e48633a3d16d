#pragma once
#include <concepts>

#include "muslin/core/types.h"
#include "muslin/geometry/colouring.h"
#include "muslin/geometry/mesh.h"

namespace muslin {

/// The N vertices of a stencil, one column each: positions, gradients, …
template <int N>
using Local = Eigen::Matrix<double, 3, N>;

/// The Hessian of one element, 3N×3N, vertex by vertex.
template <int N>
using LocalHessian = Eigen::Matrix<double, 3 * N, 3 * N>;

/// An energy is a set of elements on stencils of kSize vertices. It says its mathematics for one element; the
/// loops over all of them stand in batch.h.
template <class E>
concept Energy = requires(const E& energy, int element, const Local<E::kSize>& x, Local<E::kSize>& gradient) {
  { energy.size() } -> std::same_as<int>;
  { energy.vertices[0] } -> std::convertible_to<Stencil<E::kSize>>;
  /// E [J]
  { energy.value(element, x) } -> std::same_as<double>;
  /// ∂E/∂x [N]
  { energy.gradient(element, x) } -> std::same_as<Local<E::kSize>>;
  /// ∂²E/∂x² [N/m], its negative eigenvalues set to zero
  { energy.hessian(element, x) } -> std::same_as<LocalHessian<E::kSize>>;
  /// C(x) with E = C²/(2·compliance), and ∂C/∂x [Macklin 2016]
  { energy.constraint(element, x, gradient) } -> std::same_as<double>;
  /// [m/N] if C is a length
  { energy.compliance(element) } -> std::same_as<double>;
};

/// The columns of `points` that a stencil names.
template <size_t N>
Local<int{N}> gather(const Points& points, const std::array<int, N>& stencil) {
  Local<int{N}> local;
  for (size_t k = 0; k < N; ++k) local.col(k) = points.col(stencil[k]);
  return local;
}

}  // namespace muslin

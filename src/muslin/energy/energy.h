#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <string_view>

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

/// A symmetric number for every pair of an element's vertices.
template <int N>
using Pairs = Eigen::Matrix<double, N, N>;

/// An energy is a set of elements on stencils of kSize vertices. It says its mathematics for one element; the
/// loops over all of them stand in batch.h. An energy whose Hessian is majorant(e) ⊗ I wherever x is, and
/// changes with its `stiffness` alone, may say so: `static constexpr bool kConstantHessian = true`.
template <class E>
concept Energy = requires(const E& energy, E& mutable_energy, int element, int condition,
                          const Points& before, double h, const Local<E::kSize>& x,
                          Local<E::kSize>& gradient) {
  { E::kName } -> std::convertible_to<std::string_view>;
  { energy.size() } -> std::same_as<int>;
  { energy.vertices[0] } -> std::convertible_to<Stencil<E::kSize>>;
  /// E [J]
  { energy.value(element, x) } -> std::same_as<double>;
  /// ∂E/∂x [N]
  { energy.gradient(element, x) } -> std::same_as<Local<E::kSize>>;
  /// ∂²E/∂x² [N/m]
  { energy.hessian(element, x) } -> std::same_as<LocalHessian<E::kSize>>;
  /// The same without its negative curvature: positive semi-definite, and equal where nothing was negative or
  /// as close as a closed form comes.
  { energy.hessian_psd(element, x) } -> std::same_as<LocalHessian<E::kSize>>;
  /// A constant matrix L [N/m] with ∂²E/∂x² ≼ L ⊗ I while strains are small, whatever the rotation: bounds
  /// stability, and is the matrix of projective dynamics.
  { energy.majorant(element) } -> std::same_as<Pairs<E::kSize>>;
  /// E = Σ C²/(2·compliance) over kConditions scalar conditions; ∂C/∂x [Macklin 2016]
  { E::kConditions } -> std::convertible_to<int>;
  { energy.condition(element, condition, x, gradient) } -> std::same_as<double>;
  { energy.compliance(element, condition) } -> std::same_as<double>;
  /// Adds the damping of a step of h seconds that begins at `before`: stiffness and rest state change so that
  /// the energy gains Σ τ/(h·compliance) (C(x) − C(before))²/2, up to a constant (energies.h).
  { mutable_energy.damp(before, h) } -> std::same_as<void>;
};

/// C = √(2E) with compliance 1: the one condition of an energy that has no better ones. Its direction at rest
/// is taken as zero.
template <class E>
double energy_condition(const E& energy, int element, const Local<E::kSize>& x, Local<E::kSize>& gradient) {
  const double c = std::sqrt(2 * std::max(0.0, energy.value(element, x)));
  gradient = c > 0 ? Local<E::kSize>(energy.gradient(element, x) / c) : Local<E::kSize>::Zero();
  return c;
}

/// What damping with the time constant τ moves the rest state of a condition by, towards where it is at the
/// beginning of a step of h seconds: ½k C² + ½k(τ/h)(C − C₀)² = ½k(1 + τ/h)(C − s C₀)² + …, s = τ/(h + τ).
inline double damping_shift(double damping, double h) { return damping / (h + damping); }

/// The columns of `points` that a stencil names.
template <size_t N>
Local<int{N}> gather(const Points& points, const std::array<int, N>& stencil) {
  Local<int{N}> local;
  for (size_t k = 0; k < N; ++k) local.col(k) = points.col(stencil[k]);
  return local;
}

}  // namespace muslin

#pragma once
#include <cmath>
#include <concepts>
#include <string_view>

#include "muslin/energy/number.h"
#include "muslin/geometry/colouring.h"
#include "muslin/geometry/topology.h"

namespace muslin {

/// The N vertices of a stencil, one column each: positions, gradients, …
template <int N, class T = double>
using Local = Eigen::Matrix<T, 3, N>;

/// The Hessian of one element, 3N×3N, vertex by vertex.
template <int N, class T = double>
using LocalHessian = Eigen::Matrix<T, 3 * N, 3 * N>;

/// A symmetric number for every pair of an element's vertices.
template <int N, class T = double>
using Pairs = Eigen::Matrix<T, N, N>;

/// The mathematics of one element on kSize vertices, in any number type (doubles, packs of floats, dual
/// numbers: number.h). It stores nothing: it refers to three things that are kept elsewhere, its *shape*,
/// which is constant during a run, and its *stiffness* and *rest* state, which material damping changes from
/// step to step:
///
///   using Number, Shape, Stiffness, Rest;
///   const Shape& shape;  const Stiffness& stiffness;  const Rest& rest;  // in this order
///
/// So that damping is what `damp` says, E must be half a quadratic form, which is linear in `stiffness`, of
/// measure(x) − rest. What acts on one side only therefore measures max(0, …) and rests at 0: a string that
/// is slack up to L measures max(0, |d| − L). Strain stiffening and limits stand beside that form, undamped.
///
/// An element whose rest is zero until damping moves it may say so, `static constexpr bool kRestsAtZero =
/// true`, and has a pointer `const Rest* rest` that is null then. One whose Hessian is majorant() ⊗ I
/// wherever x is, with a number as its stiffness, may say `static constexpr bool kConstantHessian = true`;
/// one for which majorant() ⊗ I serves solvers that want no exact curvature as well as hessian_psd, and far
/// cheaper, `kMajorantIsModel = true`. One that does not resist stretch or shear of cloth says
/// `kIsMembrane = false`. One that gives E and ∂E/∂x together for less than both may have
/// `T value_and_gradient(x, gradient)`. One on two vertices with Hessians (1 −1; −1 1) ⊗ B may have
/// `hessian_block(x)` and `hessian_block_psd(x)`, which return B.
template <class K>
concept Kernel = requires(const K& element, int condition, const Local<K::kSize, typename K::Number>& x,
                          Local<K::kSize, typename K::Number>& gradient) {
  { K::kName } -> std::convertible_to<std::string_view>;
  typename K::Shape;
  typename K::Stiffness;
  /// E [J]
  { element.value(x) } -> std::same_as<typename K::Number>;
  /// ∂E/∂x [N]
  { element.gradient(x) } -> std::same_as<Local<K::kSize, typename K::Number>>;
  /// ∂²E/∂x² [N/m]
  { element.hessian(x) } -> std::same_as<LocalHessian<K::kSize, typename K::Number>>;
  /// The same without its negative curvature: positive semi-definite, and equal where nothing was negative or
  /// as close as a closed form comes.
  { element.hessian_psd(x) } -> std::same_as<LocalHessian<K::kSize, typename K::Number>>;
  /// A constant matrix L [N/m] with ∂²E/∂x² ≼ L ⊗ I while strains are small, whatever the rotation: bounds
  /// stability, and is the matrix of projective dynamics.
  { element.majorant() } -> std::same_as<Pairs<K::kSize, typename K::Number>>;
  /// E = Σ C²/(2·compliance) over kConditions scalar conditions; ∂C/∂x [Macklin 2016]
  { K::kConditions } -> std::convertible_to<int>;
  { element.condition(condition, x, gradient) } -> std::same_as<typename K::Number>;
  { element.compliance(condition) } -> std::same_as<typename K::Number>;
  /// What E compares with `rest`: lengths, strains, angles. Damping moves the rest towards where this begins.
  { element.measure(x) } -> std::same_as<typename K::Rest>;
};

/// What every loop needs to visit elements on N vertices, and nothing of their mathematics. Constant during a
/// run; the energies of all steps share it.
template <int N>
struct Elements {
  std::vector<Stencil<N>> vertices;  ///< one stencil an element
  std::vector<double> damping;       ///< τ [s], the time constant of the element's material
  Incidence incidence;               ///< the elements about every vertex: gradients gather by it
  Colouring colouring;               ///< groups that share no vertex: Gauss–Seidel sweeps visit by it
};

/// An energy is a set of elements of one kind: what a Kernel says of each, and what loops need to visit them.
/// The loops stand in batch.h, vertex.h and assembly.h; storage.h satisfies this once for all kernels.
template <class E>
concept Energy = Kernel<typename E::Element> && requires(const E& energy, int e) {
  { E::kName } -> std::convertible_to<std::string_view>;
  { energy.size() } -> std::same_as<int>;
  { energy[e] } -> std::same_as<typename E::Element>;
  { energy.vertices(e) } -> std::same_as<const Stencil<E::kSize>&>;
  { energy.elements() } -> std::same_as<const Elements<E::kSize>&>;
  requires E::kSize == E::Element::kSize&& E::kConditions == E::Element::kConditions;
};

/// Whether a kernel says that its Hessian is majorant() ⊗ I wherever x is.
template <class K>
constexpr bool has_constant_hessian() {
  if constexpr (requires { K::kConstantHessian; }) return K::kConstantHessian;
  return false;
}
/// Whether a kernel says that majorant() ⊗ I is as good a model of its curvature as hessian_psd.
template <class K>
constexpr bool majorant_is_model() {
  if constexpr (requires { K::kMajorantIsModel; }) return K::kMajorantIsModel;
  return has_constant_hessian<K>();
}
/// Whether an energy resists stretch or shear of the cloth's surface, as all do but those that say otherwise.
template <class K>
constexpr bool is_membrane() {
  if constexpr (requires { K::kIsMembrane; }) return K::kIsMembrane;
  return true;
}
/// Whether a kernel says that its rest state is zero until damping moves it.
template <class K>
constexpr bool rests_at_zero() {
  if constexpr (requires { K::kRestsAtZero; }) return K::kRestsAtZero;
  return false;
}

/// C = √(2E) with compliance 1: the one condition of an element that has no better ones. Its direction at
/// rest is taken as zero.
template <class K, class T, int N>
inline T energy_condition(const K& element, const Eigen::Matrix<T, 3, N>& x,
                          Eigen::Matrix<T, 3, N>& gradient) {
  using std::sqrt;
  const T c = sqrt(2 * positive(element.value(x)));
  if (any(c > T(0)))
    gradient = or_zero(c > T(0), element.gradient(x) / c);
  else
    gradient.setZero();
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

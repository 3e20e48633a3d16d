#pragma once
#include <memory>
#include <type_traits>

#include "muslin/energy/storage.h"

namespace muslin {

/// A column for each of an element's k ≤ 4 vertices, 3×k: places [m], or a gradient [N].
using ElementColumns = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 4>;
/// 3k×3k, vertex by vertex: the Hessian of an element [N/m].
using ElementHessian = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 12, 12>;
/// k×k: a number for every pair of an element's vertices.
using ElementPairs = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 4, 4>;

/// An energy from outside: the mathematics of its elements, which Scene::energies puts on vertices. Solvers
/// run it beside those of the fabric, but for its damping: it has none.
///
/// All functions are of the element's number and places alone: the same call gives the same bits. They are
/// called from several threads at once, and must not throw; what is no number makes the step diverge.
/// Elements have the order and number of vertices that Scene::energies gives them.
class CustomEnergy {
 public:
  virtual ~CustomEnergy() = default;

  /// E [J]
  virtual double value(int element, const ElementColumns& x) const = 0;
  /// ∂E/∂x [N], 3×k
  virtual ElementColumns gradient(int element, const ElementColumns& x) const = 0;
  /// ∂²E/∂x² [N/m], 3k×3k, symmetric
  virtual ElementHessian hessian(int element, const ElementColumns& x) const = 0;

  /// The same without its negative curvature. As it stands, with the negative eigenvalues set to zero: write
  /// a cheaper form where you know one, or `return hessian(element, x)` where nothing is ever negative.
  virtual ElementHessian hessian_psd(int element, const ElementColumns& x) const;

  /// A symmetric matrix L [N/m], k×k, with ∂²E/∂x² ≼ L ⊗ I wherever the cloth comes to: `explicit` counts its
  /// substeps by it, `implicit` and `projective` choose by it how far they step. Asked once, with the places
  /// where the cloth begins. As it stands, a bound of the Hessian *there*, from its largest eigenvalue λ:
  /// λ(1 − 11ᵀ/k) if the element only sees how its vertices lie to each other, and else λ1. Write your own if
  /// E grows stiffer elsewhere.
  virtual ElementPairs majorant(int element, const ElementColumns& start) const;

  /// Whether E ≥ 0 everywhere and 0 at rest, so that C = √(2E) is a condition for the family `position`,
  /// which refuses what has none.
  virtual bool is_square() const { return false; }
};

/// An element of a CustomEnergy. Vertices that it has less than four repeat the first, and feel nothing.
template <class T>
struct CustomElement {
  static_assert(std::is_same_v<T, double>, "energies from outside are in doubles");
  static constexpr std::string_view kName = "custom";  ///< in lists and reports
  static constexpr int kSize = 4;                      ///< the most vertices of an element
  static constexpr int kConditions = 1;                ///< C = √(2E)
  static constexpr bool kRestsAtZero = true;           ///< no rest state: it is not damped
  static constexpr bool kIsMembrane = false;           ///< who knows what it resists
  using Number = T;                                    ///< double
  using Stiffness = T;                                 ///< 1
  using Rest = Eigen::Matrix<T, 1, 1>;                 ///< 0
  /// Which element of which energy.
  struct Shape {
    std::shared_ptr<const CustomEnergy> energy;  ///< never null
    int element;                                 ///< its number
    int size;                                    ///< its vertices, k
    Pairs<4> majorant;                           ///< [N/m], zero beyond k
  };

  const Shape& shape;          ///< which element
  const Stiffness& stiffness;  ///< 1
  const Rest* rest;            ///< null

  /// Nothing that damping could know.
  Rest measure(const Local<4>&) const { return Rest::Zero(); }
  /// E [J]
  double value(const Local<4>& x) const { return shape.energy->value(shape.element, own(x)); }
  /// ∂E/∂x [N]
  Local<4> gradient(const Local<4>& x) const {
    Local<4> all = Local<4>::Zero();
    all.leftCols(shape.size) = shape.energy->gradient(shape.element, own(x));
    return all;
  }
  /// ∂²E/∂x² [N/m]
  LocalHessian<4> hessian(const Local<4>& x) const {
    return padded(shape.energy->hessian(shape.element, own(x)));
  }
  /// The same without its negative curvature.
  LocalHessian<4> hessian_psd(const Local<4>& x) const {
    return padded(shape.energy->hessian_psd(shape.element, own(x)));
  }
  /// The bound of the Hessian [N/m].
  Pairs<4> majorant() const { return shape.majorant; }
  /// C = √(2E)
  double condition(int, const Local<4>& x, Local<4>& direction) const {
    return energy_condition(*this, x, direction);
  }
  /// 1: the stiffness is in C.
  double compliance(int) const { return 1; }

 private:
  ElementColumns own(const Local<4>& x) const { return x.leftCols(shape.size); }
  LocalHessian<4> padded(const ElementHessian& hessian) const {
    LocalHessian<4> all = LocalHessian<4>::Zero();
    all.topLeftCorner(3 * shape.size, 3 * shape.size) = hessian;
    return all;
  }
};
/// All elements of energies from outside, stored.
using StoredCustomEnergy = ElementEnergy<CustomElement>;
static_assert(Energy<StoredCustomEnergy>);

}  // namespace muslin

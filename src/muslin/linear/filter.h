#pragma once
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// The constraints of a linear system A x = b about vertices [Baraff 1998, §5]: vertex i is held in none to
/// three directions p, in which x has a prescribed value, and free in the rest, Sᵢ = I − Σ p pᵀ.
class Filter {
 public:
  /// A vertex that is held somehow.
  struct Held {
    int vertex;
    Mat3 free;        ///< S: symmetric, S² = S; exactly zero where all three directions are held
    Vec3 prescribed;  ///< z, what x is in the held directions; S z = 0
  };

  /// Ascending by vertex.
  const std::vector<Held>& held() const { return held_; }
  bool empty() const { return held_.empty(); }
  /// How a vertex is held; null if it is free.
  const Held* find(int vertex) const;
  void clear() { held_.clear(); }

  /// x · direction = value from now on, besides what was said of the vertex before. A direction that is
  /// held already, to rounding, changes nothing. Quick when vertices come in ascending order.
  void hold(int vertex, const Vec3& direction, double value);

  /// Holds the axes where `fixed` is 1, not 0, at the values of `prescribed`.
  void hold_axes(int vertex, const Vec3& fixed, const Vec3& prescribed);

  /// x ← S x
  void apply(Points& x) const {
    for (const Held& h : held_) x.col(h.vertex) = h.free * x.col(h.vertex);
  }

  /// x ← S x + z: the constraints hold to rounding.
  void impose(Points& x) const {
    for (const Held& h : held_) x.col(h.vertex) = h.free * x.col(h.vertex) + h.prescribed;
  }

  /// Whether anything is held elsewhere than at zero.
  bool moves() const;

 private:
  Held& find_or_add(int vertex);
  std::vector<Held> held_;
};

}  // namespace muslin

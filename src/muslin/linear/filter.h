#pragma once
#include <vector>

#include "muslin/core/types.h"

namespace muslin {

/// Constraints on vertices in a linear system A x = b [Baraff 1998, §5]. Vertex i is held in zero to three
/// directions p, where x has a prescribed value, and free in the others: Sᵢ = I − Σ p pᵀ.
class Filter {
 public:
  /// A vertex held in at least one direction.
  struct Held {
    int vertex;
    Mat3 free;        ///< S: symmetric, S² = S; exactly zero where all three directions are held
    Vec3 prescribed;  ///< z, what x is in the held directions; S z = 0
  };

  /// Ascending by vertex.
  const std::vector<Held>& held() const { return held_; }
  bool empty() const { return held_.empty(); }
  /// The constraint of a vertex; null if it is free.
  const Held* find(int vertex) const;
  void clear() { held_.clear(); }

  /// Adds the constraint x · direction = value. A direction that is held already, to rounding, is ignored.
  /// Constant time if vertices come in ascending order.
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

  /// True if any prescribed value is not zero.
  bool moves() const;

 private:
  Held& find_or_add(int vertex);
  std::vector<Held> held_;
};

}  // namespace muslin

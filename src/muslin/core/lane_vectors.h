#pragma once

// Vectors in space, one in each lane of registers. Nothing here may be a plain inline function, as in all
// that files for one instruction set include (core/simd.h).

namespace muslin {

/// Vectors side by side, of registers of floats or doubles.
template <class Lanes>
struct LaneVectors {
  Lanes x, y, z;

  template <class Vector>
  void set(int lane, const Vector& vector) {
    using Number = decltype(x[0] + x[0]);
    x[lane] = static_cast<Number>(vector[0]);
    y[lane] = static_cast<Number>(vector[1]);
    z[lane] = static_cast<Number>(vector[2]);
  }
};

template <class Lanes>
LaneVectors<Lanes> operator+(const LaneVectors<Lanes>& a, const LaneVectors<Lanes>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Lanes>
LaneVectors<Lanes> operator-(const LaneVectors<Lanes>& a, const LaneVectors<Lanes>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Lanes>
LaneVectors<Lanes> operator*(Lanes s, const LaneVectors<Lanes>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class Lanes>
Lanes dot(const LaneVectors<Lanes>& a, const LaneVectors<Lanes>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Lanes>
LaneVectors<Lanes> cross(const LaneVectors<Lanes>& a, const LaneVectors<Lanes>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Vectors of a where a comparison holds, else of b.
template <class Holds, class Lanes>
LaneVectors<Lanes> choose(Holds where, const LaneVectors<Lanes>& a, const LaneVectors<Lanes>& b) {
  return {where ? a.x : b.x, where ? a.y : b.y, where ? a.z : b.z};
}

}  // namespace muslin

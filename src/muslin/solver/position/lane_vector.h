#pragma once
#include "muslin/core/simd_register.h"
#include "muslin/solver/position/kernels.h"

// Included by one file for every instruction set, which alone instantiates it for its width. Nothing here may
// be a plain inline function: the linker would keep one copy for all processors.

namespace muslin {

/// K registers of W floats. They are copied register by register: GCC 12 copies all at once in halves of
/// AVX2's, through the stack, which made solves of lines three times as slow.
template <int W, int K>
struct Lanes {
  using Register = typename RegisterOf<W>::Type;
  static constexpr int kCount = W * K;
  Register part[K];

  static Lanes all(float value) {
    Lanes r;
    for (Register& p : r.part) p = Register{} + value;
    return r;
  }
  static Lanes load(const float* from) {
    Lanes r;
    for (int k = 0; k < K; ++k) __builtin_memcpy(&r.part[k], from + k * W, sizeof r.part[k]);
    return r;
  }
  void store(float* to) const {
    for (int k = 0; k < K; ++k) __builtin_memcpy(to + k * W, &part[k], sizeof part[k]);
  }

  template <class Operation>
  static Lanes each(const Operation& operation) {
    Lanes r;
    for (int k = 0; k < K; ++k) r.part[k] = operation(k);
    return r;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.part[k] + b.part[k]; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.part[k] - b.part[k]; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.part[k] * b.part[k]; });
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.part[k] / b.part[k]; });
  }
  friend Lanes max(const Lanes& a, const Lanes& b) {
    return each([&](int k) { return a.part[k] > b.part[k] ? a.part[k] : b.part[k]; });
  }
  /// `value` where `sign` is positive, else 0.
  friend Lanes where_positive(const Lanes& sign, const Lanes& value) {
    return each([&](int k) { return sign.part[k] > Register{} ? value.part[k] : Register{}; });
  }
  /// `yes` where `sign` is positive, else `no`.
  friend Lanes choose(const Lanes& sign, const Lanes& yes, const Lanes& no) {
    return each([&](int k) { return sign.part[k] > Register{} ? yes.part[k] : no.part[k]; });
  }
  friend Lanes root(const Lanes& a) {
    return each([&](int k) { return root_of(a.part[k]); });
  }
};

template <class F>
struct Vector {
  F x, y, z;

  static Vector zero() { return {F::all(0), F::all(0), F::all(0)}; }
  static Vector load(const Planes& from, std::ptrdiff_t at) {
    return {F::load(from.x + at), F::load(from.y + at), F::load(from.z + at)};
  }
  void store(const Planes& to, std::ptrdiff_t at) const {
    x.store(to.x + at);
    y.store(to.y + at);
    z.store(to.z + at);
  }
  friend Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector operator*(const F& s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend F dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  friend Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

}  // namespace muslin

#pragma once

namespace muslin {

/// A register of W floats (a template's own argument would not do: GCC takes `vector_size(4 * W)` for float).
template <int W>
struct RegisterOf;
template <>
struct RegisterOf<4> {
  typedef float Type __attribute__((vector_size(16)));
};
template <>
struct RegisterOf<8> {
  typedef float Type __attribute__((vector_size(32)));
};
template <>
struct RegisterOf<16> {
  typedef float Type __attribute__((vector_size(64)));
};

}  // namespace muslin
